// Plays the evening with the client that openapi-generator made for Kotlin (Retrofit, kotlinx.serialization), and
// prints what it saw as JSON.
//
// java -cp … PlayKt EVENING.json http://127.0.0.1:8000

import fuda.apis.EventsApi
import fuda.apis.ExportsApi
import fuda.apis.ImportsApi
import fuda.apis.LinksApi
import fuda.apis.ReckoningsApi
import fuda.apis.RoundsApi
import fuda.apis.SessionsApi
import fuda.infrastructure.ApiClient
import fuda.infrastructure.Serializer
import fuda.models.Entry
import fuda.models.NewEvent
import fuda.models.Events
import fuda.models.NewLink
import fuda.models.NewSession
import fuda.models.Problem
import java.io.File
import java.util.Base64
import kotlinx.coroutines.runBlocking
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonNull
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive
import kotlinx.serialization.json.decodeFromJsonElement
import kotlinx.serialization.json.encodeToJsonElement
import kotlinx.serialization.json.int
import kotlinx.serialization.json.jsonArray
import kotlinx.serialization.json.jsonObject
import kotlinx.serialization.json.jsonPrimitive
import kotlinx.serialization.serializer
import okhttp3.MediaType.Companion.toMediaType
import retrofit2.Response
import retrofit2.converter.kotlinx.serialization.asConverterFactory

const val ENTRIES_A_PAGE = 10L

val json: Json get() = Serializer.kotlinxSerializationJson

/** An import wants what is null in a file, too. */
val withNulls: Json get() = Json(json) { explicitNulls = true }
val JSON = "application/json".toMediaType()

/** What was hoped for; anything else ends the evening. */
fun <Answer> Response<Answer>.expected(): Answer = body() ?: error("${code()}: ${errorBody()?.string()}")

/** What was refused, as a problem and with all that came with it. */
fun Response<*>.refused(): Pair<Problem, JsonObject> {
    val text = errorBody()?.string() ?: error("not refused: ${body()}")
    return json.decodeFromString<Problem>(text) to json.parseToJsonElement(text).jsonObject
}

/** A value of plain collections as JSON. */
fun told(value: Any?): JsonElement = when (value) {
    null -> JsonNull
    is JsonElement -> value
    is Number -> JsonPrimitive(value)
    is Boolean -> JsonPrimitive(value)
    is Map<*, *> -> JsonObject(value.entries.associate { (name, one) -> name.toString() to told(one) })
    is Iterable<*> -> JsonArray(value.map(::told))
    is Enum<*> -> wireName(value)
    else -> JsonPrimitive(value.toString())
}

/** An enum's value as the wire has it. */
fun wireName(value: Enum<*>): JsonElement = json.encodeToJsonElement(json.serializersModule.serializer(value.javaClass), value)

suspend fun play(evening: JsonObject, address: String): Map<String, Any?> {
    val opening = json.decodeFromJsonElement<NewSession>(evening.getValue("session"))
    val opened = ApiClient(address).createService(SessionsApi::class.java).openSession(opening).expected()
    val id = opened.session.id
    val owner = ApiClient(address, null, "bearer", opened.link.token!!)
    val rounds = owner.createService(RoundsApi::class.java)
    val link = owner.createService(LinksApi::class.java)
        .makeLink(id, NewLink(NewLink.Role.SCORER, "the phone at the table")).expected()
    val reports = ApiClient(address, null, "bearer", link.token!!).createService(EventsApi::class.java)

    fun typed(event: JsonElement) = json.decodeFromJsonElement<NewEvent>(event)
    suspend fun report(events: List<JsonElement>, prefer: String? = null) =
        reports.recordEvents(id, Events(events.map(::typed)), prefer = prefer)

    val events = evening.getValue("events").jsonArray
    val refusedAfter = evening.getValue("refused_after").jsonPrimitive.int
    val recorded = report(events.subList(0, refusedAfter)).expected()
    val (tooLow, whatItTook) = report(listOf(evening.getValue("refused"))).refused()
    val (malformed, _) = report(listOf(evening.getValue("malformed"))).refused()
    val brief = report(events.subList(refusedAfter, events.size - 1), prefer = "return=minimal").expected()
    val atTheShowdown = rounds.showRound(id, 1).expected()
    val ended = report(listOf(events.last())).expected()
    val table = owner.createService(SessionsApi::class.java).showSession(id).expected()
    val won = rounds.showRound(id, 1).expected().outcome!!

    val entries = mutableListOf<Entry>()
    do {
        val page = rounds.listEntries(id, entries.lastOrNull()?.id ?: 0L, ENTRIES_A_PAGE).expected()
        entries += page.propertyEntries
    } while (page.next != null)
    val settlement = owner.createService(ReckoningsApi::class.java).showSettlement(id).expected()
    val links = owner.createService(LinksApi::class.java).listLinks(id).expected()
    val exports = owner.createService(ExportsApi::class.java)
    val workbook = exports.exportXlsx(id).expected().bytes()
    val file = exports.exportJson(id).expected()
    val whole = ApiClient(address, converterFactories = listOf(withNulls.asConverterFactory(JSON)))
    val imported = whole.createService(ImportsApi::class.java).importSession(file).expected().session
    return mapOf(
        "brief" to listOf(brief.seq, brief.roundsEnded, brief.session == null, brief.ended == null),
        "xlsx" to listOf(id, opened.link.token, Base64.getEncoder().encodeToString(workbook)),
        "imported" to listOf(imported.seq, imported.players.associate { it.id to it.balance }),
        "game" to opened.session.game,
        "recorded" to recorded.events.map { it.type },
        "refused" to listOf(tooLow.status, tooLow.code, whatItTook["at_least"]),
        "malformed" to listOf(malformed.status, malformed.errors?.map { it.pointer }),
        "pot_before_showdown" to atTheShowdown.pot,
        "phase_before_showdown" to atTheShowdown.phase,
        "rounds_ended" to ended.ended?.map { it.number },
        "result" to won.result,
        "winner" to won.winner,
        "card" to won.card,
        "back_rider" to won.backRider,
        "payouts" to won.payouts.associate { it.player to it.amount },
        "next_dealer" to won.nextDealer,
        "explanation" to won.explanation["en"],
        "pot" to table.pot,
        "seq" to table.seq,
        "balances" to table.players.associate { it.id to it.balance },
        "entries" to entries.map { listOf(it.from, it.to, it.amount, it.reason) },
        "payments" to settlement.payments.map { listOf(it.from, it.to, it.amount) },
        "links" to links.links.map { listOf(it.role, it.label) },
    )
}

fun main(arguments: Array<String>) {
    Serializer.kotlinxSerializationJsonConfiguration = { explicitNulls = false } // what is not said is left out
    val evening = Json.parseToJsonElement(File(arguments[0]).readText()).jsonObject
    println(told(runBlocking { play(evening, arguments[1]) }))
}
