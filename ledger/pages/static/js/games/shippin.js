export { Pad } from "./plain.js";
