// Reads a session of a service that is newer than the client, and prints what it saw as JSON.
//
// java -cp … LookKt http://127.0.0.1:8000 SESSION TOKEN

import fuda.apis.EventsApi
import fuda.apis.RoundsApi
import fuda.apis.SessionsApi
import fuda.infrastructure.ApiClient
import kotlinx.coroutines.runBlocking

suspend fun look(address: String, session: String, token: String): Map<String, Any?> {
    val client = ApiClient(address, null, "bearer", token)
    val read = client.createService(RoundsApi::class.java)
    val table = client.createService(SessionsApi::class.java).showSession(session).expected()
    val events = client.createService(EventsApi::class.java).listEvents(session).expected().events
    val rounds = read.listRounds(session).expected().rounds
    val steps = read.replayRound(session, 1).expected().steps
    val entries = read.listEntries(session).expected().propertyEntries
    return mapOf(
        "game" to table.game,
        "phase" to table.round?.phase,
        "next" to table.round?.next?.map { it.type },
        "events" to events.map { listOf(it.seq, it.type, it.card) },
        "amended" to events.mapNotNull { it.event?.type },
        "steps" to steps.map { listOf(it.event.type, it.phase) },
        "rounds" to rounds.map { listOf(it.status, it.phase) },
        "outcomes" to rounds.mapNotNull { it.outcome }.map { listOf(it.result, it.nextDealer, it.explanation.en) },
        "reasons" to entries.map { it.reason }.distinct().sorted(),
    )
}

fun main(arguments: Array<String>) {
    val (address, session, token) = arguments
    println(told(runBlocking { look(address, session, token) }))
}
