/**
 * Rounds to look at and to play on, as a scorekeeper writes them (the round notation), by game.
 */
import { language, say, t } from "../core/words.js";

/** @typedef {import("../core/types.js").Game} Game */

const NAMES = {
  en: ["Aki", "Ben", "Chie", "Daisuke", "Emi", "Fumio", "Goro", "Haruka", "Ichiro", "Junko", "Kenji", "Masako"],
  ja: ["明", "勉", "千恵", "大輔", "恵美", "文雄", "五郎", "春香", "一郎", "寿子", "健二", "雅子"],
};

/** `whole` is a round to its end, `begun` one that goes on. @type {Record<string, {people: number, whole: string, begun: string}>} */
const ROUNDS = {
  shirinma: {
    people: 12,
    whole: `dealer p12
round
field swords-1
deal p12=cups-7 cups-6 swords-8 coins-4 swords-2 cups-10 (p2=1 p3=2) swords-3 cups-11 (p2=1 p4=2 p2=4) clubs-9 plain plain plain
deal plain plain plain plain plain plain coins-12 (p1=10) plain plain plain plain plain
trump cups-12`,
    begun: `round
field swords-1
deal plain plain coins-12 (p1=8 p5=10) plain plain cups-10 (p2=1 p3=2) plain`,
  },
  shippin: {
    people: 5,
    whole: `rules bet=10
dealer p3
round
bet p4=2 p5=4 p1=1 p2=3
second 7 3 5 10 / 9
first 2 2 2 10 / 8`,
    begun: `rules bet=10
round
bet p2=2 p3=4 p4=1 p5=3`,
  },
  kakkuri: {
    people: 7,
    whole: `round
pairs p3
starter cups-5
p1 cups-6 cups-7
p2 -
p3 swords-8 coins-8
p4 x6`,
    begun: `round
starter cups-5
p1 cups-6 cups-7
p2 -`,
  },
};

/** @param {Game} game */
export const hasSample = (game) => game.name in ROUNDS;

/** Who plays in it. @param {Game} game */
export const sampleNames = (game) => NAMES[language.value].slice(0, ROUNDS[game.name]?.people);

/** @param {Game} game @param {"whole" | "begun"} which */
export function sampleOf(game, which) {
  const name = which === "begun" ? [`name ${JSON.stringify(t("Sample: {game}", { game: say(game.title) }))}`] : [];
  return [`game ${game.name}`, ...name, `players ${sampleNames(game).join(" ")}`, ROUNDS[game.name]?.[which], ""].join("\n");
}
