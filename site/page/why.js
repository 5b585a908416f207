// The panel that tells who held the slots: asked for only while it is open, because it costs a run of its own.

import { byId } from "./dom.js";
import { patch } from "./results.js";
import { RequestError } from "../runtime.js";

/** A pause after the last plan, so that a slider that is still moving does not ask for pictures. */
const PAUSE_MS = 500;

const panel = /** @type {HTMLDetailsElement} */ (byId("why-panel"));
const design = () => /** @type {HTMLSelectElement | null} */ (document.getElementById("why-design"))?.value ?? "";

let pause = 0;
let shown = "v=1"; // the link that the panel shows; the page comes with the default plan's
let wanted = shown;
/** @type {(what: { link: string, design: string }) => Promise<any>} */
let send = async () => undefined;

async function refresh() {
  clearTimeout(pause);
  if (!panel.open) return;
  byId("why").dataset.old = "";
  try {
    const link = wanted;
    const result = await send({ link, design: design() });
    shown = link;
    patch(result.patch);
  } catch (error) {
    if (error instanceof RequestError) byId("why").textContent = error.payload.message;
  }
}

/** @param {typeof send} how asks the planner */
export function watch(how) {
  send = how;
  panel.addEventListener("toggle", () => {
    if (shown !== wanted) refresh();
  });
  panel.addEventListener("change", refresh);
}

/** The plan of `link` is on the page now. @param {string} link */
export function follow(link) {
  wanted = link;
  clearTimeout(pause);
  if (shown !== wanted) pause = setTimeout(refresh, PAUSE_MS);
}
