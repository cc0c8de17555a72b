/**
 * The shapes that the page reads, by the names that `/openapi.json` gives them.
 *
 * @typedef {{id: string, name: string, seat: number | null, won: number, balance: number, active: boolean}} Player
 * @typedef {{en: string, ja: string}} Texts
 * @typedef {{type: string, player?: string, players?: string[], not_players?: string[], amount_at_least?: number, amount_at_most?: number,
 *   columns?: number[], at_most?: number}} Expected what may be reported now
 * @typedef {{left: Record<string, number>, next: Record<string, string[]>, together: Record<string, number>}} CardsLeft
 * @typedef {{player: string, amount: number, reason: string}} Payout
 * @typedef {{result: string, payouts: Payout[], next_dealer: string, explanation: {en: string[], ja: string[]},
 *   winner?: string, card?: string, back_rider?: string | null, guri?: boolean, reasons?: string[],
 *   hands?: any[], dealer_hand?: any}} Outcome
 * @typedef {{number: number, status: string, played_on?: string, dealer: string, players: string[], rules: Record<string, any>, carried: number,
 *   pot: number, phase: string, next: Expected[], cards?: CardsLeft | null, table: any,
 *   overruled: {type: string, reason: string}[], outcome: Outcome | null}} Round
 * @typedef {{id: string, game: string, name: string | null, deck: string, status: "open" | "closed", seq: number,
 *   players: Player[], dealer: string, draw_again?: string[], pot: number, bank: number, rules: Record<string, any>, round: Round | null,
 *   rounds: number, chip_value: {currency: string, per_chip: string} | null, odds: boolean, closing: any, played_on: string | null, created_at: string}} Session
 * @typedef {{type: string, [field: string]: any}} Event what is reported
 * @typedef {Event & {seq: number, round: number | null, recorded_at: string, recorded_by: string,
 *   recorded_by_label?: string | null, status: "standing" | "amended" | "taken_back", correction?: any}} StoredEvent
 * @typedef {{id: number, seq: number, round: number | null, from: string, to: string, amount: number, reason: string,
 *   reverses: number | null}} Entry
 * @typedef {{events: StoredEvent[], entries: Entry[], session: Session, ended: Round[], changes?: any}} Recorded
 * @typedef {{id: string, role: "owner" | "scorer" | "viewer", label: string | null, expires_at: string | null,
 *   created_at: string, revoked_at?: string | null, token?: string}} Link
 * @typedef {{status: number, code: string, title: string, detail: string, rule?: string, index?: number, seq?: number,
 *   errors?: {pointer?: string, parameter?: string, detail: string}[], [fact: string]: any}} Problem
 * @typedef {{name: string, label: Texts, required: boolean, kind: string, values?: string[], value_labels?: Record<string, Texts>,
 *   at_least?: number, at_most?: number, of?: any, help?: Texts, default?: any, fields?: Field[], only_with?: string,
 *   at_most_characters?: number, row?: string, matters?: Record<string, string[]>, or?: string[], nullable?: boolean,
 *   pattern?: string}} Field of an event, or a house rule
 * @typedef {{type: string, label: Texts, about: Texts, fields: Field[], told?: Texts[]}} EventKind
 * @typedef {{name: string, version: number, title: Texts, players: {min: number, max: number}, decks: string[],
 *   speaks_of_numbers: boolean, deck_labels: Record<string, Texts>, default_deck: string, rules: Field[], events: EventKind[],
 *   phases: Record<string, Texts>, results: Record<string, Texts>, forfeits: Record<string, Texts>,
 *   reasons: Record<string, Texts>, accounts: Record<string, Texts>, tallies: Record<string, Texts>}} Game
 * @typedef {{code: string, name: Texts, copies: number, stands_for?: string,
 *   stands_for_if_courts_are_qjk?: string, value?: number, class?: string, suit?: string,
 *   rank?: any, month?: any}} Card
 * @typedef {{deck: string, cards: Card[], [more: string]: any}} Deck
 */
export {};
