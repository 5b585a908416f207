// The address bar always holds the share link of what is shown. A run of keystrokes is one entry of the history.

import { byId } from "./dom.js";

const otherLanguage = /** @type {HTMLAnchorElement} */ (byId("other-language"));
const otherPage = otherLanguage.getAttribute("href") ?? "";

/** Whether the newest entry of the history belongs to a change that is still being typed. */
let draft = false;

/** The fragment in the address bar, without its sign. */
export const current = () => location.hash.slice(1);

/** Whether the address bar holds a plan, and not the name of a place on the page. */
export const holdsPlan = () => current().includes("=");

/** @param {string} link @param {"start" | "typing" | "commit" | "restore"} cause */
export function show(link, cause) {
  if (link !== current()) {
    const inPlace = draft || cause === "start" || cause === "restore";
    history[inPlace ? "replaceState" : "pushState"](null, "", `#${link}`);
    draft = cause === "typing";
  } else if (cause !== "typing") {
    draft = false;
  }
  byId("link").textContent = location.href;
  otherLanguage.setAttribute("href", `${otherPage}#${link}`);
}

/** @param {() => void} onRestore called when the user goes back, forward, or edits the fragment */
export function watch(onRestore) {
  addEventListener("popstate", () => {
    draft = false;
    if (holdsPlan() || current() === "") onRestore();
  });
}

/** Jumps within the page leave the address bar alone. */
export function keepJumpsOut() {
  document.addEventListener("click", (event) => {
    const link = /** @type {Element} */ (event.target).closest('a[href^="#"]');
    if (!link) return;
    event.preventDefault();
    const place = byId((link.getAttribute("href") ?? "").slice(1));
    const control = /** @type {HTMLElement} */ (place.querySelector("input, textarea") ?? place);
    place.scrollIntoView({ block: "nearest" });
    control.focus();
  });
}
