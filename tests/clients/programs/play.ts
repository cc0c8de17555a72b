// Plays the evening with openapi-fetch and the types that openapi-typescript made, and prints what it saw as JSON.
//
// node play.js EVENING.json http://127.0.0.1:8000

import { readFileSync } from "node:fs";
import createClient, { type Middleware } from "openapi-fetch";
import type { components, paths } from "./schema.js";

type Schemas = components["schemas"];
type Event = Schemas["NewEvent"];

interface Evening {
  session: Schemas["NewSession"];
  events: Event[];
  refused_after: number;
  refused: Event;
  malformed: Event;
}

const ENTRIES_A_PAGE = 10;

function clientOf(address: string, token?: string) {
  const client = createClient<paths>({ baseUrl: address });
  const bearer: Middleware = {
    onRequest({ request }) {
      if (token !== undefined) request.headers.set("Authorization", `Bearer ${token}`);
    },
  };
  client.use(bearer);
  return client;
}

/** What was hoped for; anything else ends the evening. */
function expected<Data>(answer: { data?: Data; error?: unknown }): Data {
  if (answer.data === undefined) throw new Error(JSON.stringify(answer.error));
  return answer.data;
}

/** What was refused, as a problem. */
function refused(answer: { data?: unknown; error?: Schemas["Problem"] }): Schemas["Problem"] {
  if (answer.error === undefined) throw new Error(`not refused: ${JSON.stringify(answer.data)}`);
  return answer.error;
}

/** What a session was opened with, written out: the compiler reads it, as it reads the table's calls below. */
const opening: Schemas["NewSession"] = {
  game: "shirinma",
  players: Array.from({ length: 12 }, (_, seat) => `Player #${seat + 1}`),
  dealer: 1,
  rules: { ante: 20, payments: { dragon: 0, maid: 10, horse: 20, king: 30 } },
};

async function play(evening: Evening, address: string) {
  const anyone = clientOf(address);
  const opened = expected(await anyone.POST("/v1/sessions", { body: opening }));
  const owner = clientOf(address, opened.link.token);
  const path = { session_id: opened.session.id };
  const link = expected(
    await owner.POST("/v1/sessions/{session_id}/links", {
      params: { path },
      body: { role: "scorer", label: "the phone at the table" },
    }),
  );
  const scorer = clientOf(address, link.token);
  const report = (...events: Event[]) =>
    scorer.POST("/v1/sessions/{session_id}/events", { params: { path }, body: { events } });

  const before = evening.events.slice(0, -1);
  const last: Event = { type: "trump_revealed", card: "cups-12" };
  const recorded = expected(await report(...before.slice(0, evening.refused_after)));
  const tooLow = refused(await report({ type: "bid_placed", player: "p3", amount: 1 }));
  const malformed = refused(await report({ type: "bid_placed", player: "p3", amount: 0 }));
  const brief = expected(
    await scorer.POST("/v1/sessions/{session_id}/events", {
      params: { path, header: { Prefer: "return=minimal" } },
      body: { events: before.slice(evening.refused_after) },
    }),
  );

  const showRound = () =>
    owner.GET("/v1/sessions/{session_id}/rounds/{number}", { params: { path: { ...path, number: 1 } } });
  const atTheShowdown = expected(await showRound());
  const ended = expected(await report(last));
  if (ended.ended === undefined) throw new Error("a brief answer was not asked for");
  const table = expected(await owner.GET("/v1/sessions/{session_id}", { params: { path } }));
  const won = expected(await showRound()).outcome;
  if (won?.result !== "won") throw new Error("the round is not won");

  const entries: Schemas["Entry"][] = [];
  for (let more = true; more; ) {
    const query = { after: entries.at(-1)?.id ?? 0, limit: ENTRIES_A_PAGE };
    const page = expected(await owner.GET("/v1/sessions/{session_id}/ledger", { params: { path, query } }));
    entries.push(...page.entries);
    more = page.next !== null;
  }
  const settlement = expected(await owner.GET("/v1/sessions/{session_id}/settlement", { params: { path } }));
  const links = expected(await owner.GET("/v1/sessions/{session_id}/links", { params: { path } }));
  const books = { params: { path } };
  const workbook = expected(
    await owner.GET("/v1/sessions/{session_id}/export.xlsx", { ...books, parseAs: "arrayBuffer" }),
  );
  const file = expected(await owner.GET("/v1/sessions/{session_id}/export.json", books));
  const imported = expected(await anyone.POST("/v1/sessions/import", { body: file })).session;
  return {
    brief: [brief.seq, brief.rounds_ended, brief.session === undefined, brief.ended === undefined],
    xlsx: [path.session_id, opened.link.token, Buffer.from(workbook).toString("base64")],
    imported: [imported.seq, Object.fromEntries(imported.players.map((player) => [player.id, player.balance]))],
    game: opened.session.game,
    recorded: recorded.events.map((event) => event.type),
    refused: [tooLow.status, tooLow.code, tooLow["at_least"]],
    malformed: [malformed.status, (malformed.errors ?? []).map((error) => error.pointer)],
    pot_before_showdown: atTheShowdown.pot,
    phase_before_showdown: atTheShowdown.phase,
    rounds_ended: ended.ended.map((round) => round.number),
    result: won.result,
    winner: won.winner,
    card: won.card,
    back_rider: won.back_rider,
    payouts: Object.fromEntries(won.payouts.map((payout) => [payout.player, payout.amount])),
    next_dealer: won.next_dealer,
    explanation: won.explanation.en,
    pot: table.pot,
    seq: table.seq,
    balances: Object.fromEntries(table.players.map((player) => [player.id, player.balance])),
    entries: entries.map((entry) => [entry.from, entry.to, entry.amount, entry.reason]),
    payments: settlement.payments.map((payment) => [payment.from, payment.to, payment.amount]),
    links: links.links.map((one) => [one.role, one.label]),
  };
}

const [evening, address] = process.argv.slice(2);
if (evening === undefined || address === undefined) throw new Error("which evening, and where?");
console.log(JSON.stringify(await play(JSON.parse(readFileSync(evening, "utf-8")), address)));
