// Reads a session of a service that is newer than the client's types, and prints what it saw as JSON.
//
// node look.js http://127.0.0.1:8000 SESSION TOKEN

import createClient from "openapi-fetch";
import type { paths } from "./schema.js";

const [address = "", session_id = "", token = ""] = process.argv.slice(2);
const client = createClient<paths>({ baseUrl: address, headers: { Authorization: `Bearer ${token}` } });
const params = { path: { session_id } };

/** What was hoped for; anything else ends the look. */
function expected<Data>(answer: { data?: Data; error?: unknown }): Data {
  if (answer.data === undefined) throw new Error(JSON.stringify(answer.error));
  return answer.data;
}

const table = expected(await client.GET("/v1/sessions/{session_id}", { params }));
const { events } = expected(await client.GET("/v1/sessions/{session_id}/events", { params }));
const { rounds } = expected(await client.GET("/v1/sessions/{session_id}/rounds", { params }));
const first = { params: { path: { session_id, number: 1 } } };
const { steps } = expected(await client.GET("/v1/sessions/{session_id}/rounds/{number}/replay", first));
const { entries } = expected(await client.GET("/v1/sessions/{session_id}/ledger", { params }));

console.log(
  JSON.stringify({
    game: table.game,
    phase: table.round?.phase,
    next: table.round?.next.map((each) => each.type),
    events: events.map((each) => [each.seq, each.type, each.card ?? null]),
    amended: events.flatMap((each) => (each.event ? [each.event.type] : [])),
    steps: steps.map((each) => [each.event.type, each.phase]),
    rounds: rounds.map((each) => [each.status, each.phase]),
    outcomes: rounds.flatMap(({ outcome }) =>
      outcome ? [[outcome.result, outcome.next_dealer, outcome.explanation.en]] : [],
    ),
    reasons: [...new Set(entries.map((each) => each.reason))].sort(),
  }),
);
