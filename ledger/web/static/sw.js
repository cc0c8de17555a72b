/**
 * What lets the page open where nobody answers: the page and its files of one build, kept on the phone. What the API says
 * is never kept here.
 *
 * A build is kept as a whole or not at all. A newer one takes over as soon as it is kept, and lets go of the older: a page
 * of that which is still open has fetched what it needs, or else begins anew (`js/core/modules.js`).
 */

const BUILD = "fb820b6a788f2d83";
const FILES = "/page/beside-I5NJQU3H.css /page/chunk-4ZG6KLI7.js /page/chunk-BX5LX7LR.js /page/chunk-H4UIYUNB.js /page/chunk-IEXWRGHL.js /page/chunk-IP65XB3K.js /page/chunk-KCXWFPUT.js /page/chunk-OT56AMZQ.js /page/chunk-UUCFGLYY.js /page/icon-GYDLQUWK.svg /page/ja-841294DE.json /page/ja-table-EB1E325C.json /page/leaves-YAJ43GV5.js /page/main-S6DGDAQZ.js /page/page-C2J7LD4V.css /page/picture_drawn-TDBW5NNL.js /page/qrcode-L4RXQ7OY.js /page/session-WLZL7TYA.js /page/start-WBMXD6LY.js /page/uPlot.esm-GFIHQTPI.js".split(" ");

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
  else if (FILES.includes(pathname)) event.respondWith(kept(request).then((file) => file ?? fetch(request)));
});

/** Keep the page and every file of this build; a service that has another by now makes the browser try again later. */
async function keep() {
  const cache = await caches.open(BUILD);
  const page = await fetch(PAGE);
  if (!(await page.clone().text()).includes(BUILD)) throw new Error("the service has another build");
  await Promise.all([cache.put(PAGE, page), cache.addAll(FILES)]);
  await worker.skipWaiting();
}

/** Let go of other builds, and serve the pages that are open. */
async function begin() {
  const others = (await caches.keys()).filter((name) => name !== BUILD);
  await Promise.all(others.map((name) => caches.delete(name)));
  await worker.clients.claim();
}

/** The page as it is now, or as it was kept where nobody answers in time. */
async function page() {
  const answer = fetch(PAGE).then((said) => (said.ok ? said : Promise.reject(said)));
  const waited = new Promise((_, tooLong) => setTimeout(tooLong, PATIENCE));
  return Promise.race([answer, waited]).catch(async () => (await kept(PAGE)) ?? answer);
}

/** What was kept of this build. @param {Request} request */
const kept = (request) => caches.match(request, { cacheName: BUILD, ignoreVary: true });
