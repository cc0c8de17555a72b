/**
 * Reports on their way: they lie in the phone's own database until the service has them, so that a reload, a dead
 * battery or an hour without network loses none. Each has a key of its own, so that none counts twice.
 */

/** @typedef {import("./types.js").Event} Event */
/**
 * @typedef {{order: number, session: string, key: string, events: Event[], known: number, tried: boolean, looks?: boolean, undoes?: number}} Report
 *   `known` is the seq that was the last when it was reported, `tried` whether it may have been heard already, `looks` whether
 *   nobody may have recorded since; `undoes` is the report whose last event it takes back, while the seq of that is not known
 */

const NAME = "fuda";
const STORE = "outbox";

/** @type {Promise<IDBDatabase | null> | undefined} */
let opening;

/** The phone's database; null where the browser keeps none (then reports live as long as the page). */
function database() {
  opening ??= new Promise((resolve) => {
    try {
      const asked = indexedDB.open(NAME, 1);
      asked.onupgradeneeded = () => asked.result.createObjectStore(STORE, { keyPath: "order" });
      asked.onsuccess = () => resolve(asked.result);
      asked.onerror = () => resolve(null);
      asked.onblocked = () => resolve(null);
    } catch {
      resolve(null);
    }
  });
  return opening;
}

/**
 * @template T
 * @param {IDBTransactionMode} mode @param {(store: IDBObjectStore) => IDBRequest<T>} work
 * @returns {Promise<T | undefined>} once it is on the disk
 */
async function within(mode, work) {
  const opened = await database();
  if (!opened) return undefined;
  return new Promise((resolve, reject) => {
    const transaction = opened.transaction(STORE, mode, { durability: "strict" });
    const asked = work(transaction.objectStore(STORE));
    transaction.oncomplete = () => resolve(asked.result);
    transaction.onerror = () => reject(transaction.error);
    transaction.onabort = () => reject(transaction.error);
  });
}

/** A number greater than those before it, also those of before a reload. */
let last = 0;
function nextOrder() {
  last = Math.max(last + 1, Date.now() * 1000);
  return last;
}

/** What waits for a session, oldest first. @param {string} session @returns {Promise<Report[]>} */
export async function waitingFor(session) {
  const all = (await within("readonly", (store) => store.getAll())) ?? [];
  return all.filter((/** @type {Report} */ each) => each.session === session);
}

/** @param {Omit<Report, "order" | "tried">} report @returns {Report} */
export const numbered = (report) => ({ ...report, order: nextOrder(), tried: false });

/** @param {Report} report */
export const store = (report) => within("readwrite", (kept) => kept.put(report));

/** @param {Report} report */
export const remove = (report) => within("readwrite", (kept) => kept.delete(report.order));
