/**
 * Has the page kept on the phone, so that it opens where nobody answers. Browsers allow that on https and on the same
 * machine; elsewhere the page does without.
 */
import { signal } from "@preact/signals";

/** How to have it installed as an app, once the browser offers that. @type {import("@preact/signals").Signal<any>} */
export const installable = signal(null);

addEventListener("beforeinstallprompt", (event) => {
  event.preventDefault();
  installable.value = event;
});

/** Keep the page, once it stands and the network has nothing better to do. */
export function keepPage() {
  if (!isSecureContext || !("serviceWorker" in navigator)) return;
  const register = () => void navigator.serviceWorker.register("/sw.js").catch(() => {});
  if (document.readyState === "complete") register();
  else addEventListener("load", register, { once: true });
}
