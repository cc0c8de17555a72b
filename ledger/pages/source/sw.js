/**
 * What lets the page open where nobody answers: the page and its files of one release, kept on the phone. What the API
 * says is never kept here.
 *
 * A release is kept as a whole or not at all. A newer one waits until no page of this one is open, so that a page never
 * gets files of another release.
 */

const RELEASE = "{release}";
const FILES = "{files}".split(" ");

/** What the page itself is asked for with. */
const PAGE = new Request("/", { headers: { Accept: "text/html" } });

/** How long the page may take to come before the one that is kept is shown, in milliseconds. */
const PATIENCE = 3000;

/** The worker's own scope. @type {any} */
const worker = self;

worker.addEventListener("install", (/** @type {any} */ event) => event.waitUntil(keep()));
worker.addEventListener("activate", (/** @type {any} */ event) => event.waitUntil(begin()));
worker.addEventListener("fetch", (/** @type {any} */ event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  if (pathname === "/" && request.mode === "navigate") event.respondWith(page());
  else if (FILES.includes(pathname)) event.respondWith(file(request));
});

/** Keep every file of this release. */
async function keep() {
  const kept = await caches.open(RELEASE);
  await kept.addAll([PAGE, ...FILES]);
}

/** Let go of other releases, and serve the pages that are open. */
async function begin() {
  const others = (await caches.keys()).filter((name) => name !== RELEASE);
  await Promise.all(others.map((name) => caches.delete(name)));
  await worker.clients.claim();
}

/** The page as it is now, or as it was kept where nobody answers in time. */
async function page() {
  const answer = fetch(PAGE).then((said) => (said.ok ? said : Promise.reject(said)));
  const waited = new Promise((_, tooLong) => setTimeout(tooLong, PATIENCE));
  try {
    return await Promise.race([answer, waited]);
  } catch {
    const kept = await caches.match(PAGE.url, { cacheName: RELEASE, ignoreVary: true });
    return kept ?? answer;
  }
}

/** A file, which never changes. @param {Request} request */
async function file(request) {
  const kept = await caches.match(request, { cacheName: RELEASE, ignoreVary: true });
  return kept ?? fetch(request);
}
