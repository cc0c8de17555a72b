/**
 * Modules that are fetched when they are needed, over a network that comes and goes.
 *
 * What cannot be fetched is either out of reach, and the page begins anew with the network, or gone with an older
 * build of the page, and it begins anew at once. Reports that wait are kept by the phone meanwhile.
 */

const BEGAN_ANEW = "fuda.began-anew";
/** No oftener than that does it begin anew, in milliseconds. */
const PATIENCE = 10000;

/**
 * What a module has, as soon as it is here.
 * @template T @param {() => Promise<T>} find @returns {Promise<T>}
 */
export async function fetched(find) {
  try {
    return await find();
  } catch (failed) {
    console.info("a module of the page is out of reach", failed);
    beginAnew();
    return new Promise(() => {});
  }
}

/** @type {Promise<void> | undefined} */
let styled;

/** Have the styles of what is beside the table, where they are wanted first; without an answer it is readable without them. */
const styles = () =>
  (styled ??= new Promise((resolve) => {
    const sheet = Object.assign(document.createElement("link"), { rel: "stylesheet", href: document.documentElement.dataset.beside });
    for (const event of ["load", "error"]) sheet.addEventListener(event, () => resolve());
    document.head.append(sheet);
  }));

/**
 * The same of a module that is drawn with those styles.
 * @template T @param {() => Promise<T>} find @returns {Promise<T>}
 */
export const fetchedBeside = async (find) => (await Promise.all([fetched(find), styles()]))[0];

let isDue = false;

function beginAnew() {
  if (isDue) return;
  isDue = true;
  const since = Date.now() - Number(sessionStorage.getItem(BEGAN_ANEW) ?? 0);
  const again = () => {
    sessionStorage.setItem(BEGAN_ANEW, String(Date.now()));
    location.reload();
  };
  if (!navigator.onLine) addEventListener("online", again, { once: true });
  else if (since > PATIENCE) again();
  else setTimeout(again, PATIENCE);
}

/** Have all of them here before the network is gone: a table may lie where there is none. @param {(() => Promise<unknown>)[]} finds */
export function fetchAhead(finds) {
  const idle = window.requestIdleCallback ?? ((/** @type {() => void} */ work) => setTimeout(work, 2000));
  const next = () => {
    const find = finds.shift();
    if (find) idle(() => void find().then(next, () => undefined), { timeout: 5000 });
  };
  next();
}
