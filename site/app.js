// The page: passes what is typed to Python, and puts what comes back in its place. It computes nothing of the model.

import { createPlanner, RequestError } from "./runtime.js";
import * as address from "./page/address.js";
import { watchCopyButtons } from "./page/copy.js";
import { all, byId } from "./page/dom.js";
import * as form from "./page/form.js";
import * as results from "./page/results.js";
import { showProgress, showState } from "./page/status.js";
import * as why from "./page/why.js";

/** @typedef {"start" | "typing" | "commit" | "restore"} Cause */

/** A pause in typing that is long enough to compute: short enough to feel immediate, long enough to skip digits. */
const PAUSE_MS = 120;

const language = document.documentElement.lang;
const planner = createPlanner({
  onState: (state, diagnosis) => {
    showState(state, diagnosis);
    if (state === "failed") form.lock(false);
  },
  onProgress: showProgress,
});
let pause = 0;
let announced = "";

/**
 * Ask for the plan of what is in the form, or of a link.
 * @param {Cause} cause @param {{ link: string } | { inputs: Record<string, string>, designs: string }} what
 * @param {string} [name] the field whose text is now to be shown as it was read
 */
async function ask(cause, what, name = "") {
  clearTimeout(pause);
  if (cause !== "start" || address.holdsPlan()) results.markOld();
  byId("lost").hidden = true;
  let link = "";
  try {
    const onPartial = (/** @type {any} */ part) => {
      link = part.link ?? link;
      receive(cause, part);
    };
    const result = await planner.request("plan", { language, ...what }, { onPartial }).promise;
    results.settle(true);
    why.follow(link);
    if (name in result.values) form.tidy(name, result.values[name]);
    if (cause !== "start" && link !== announced) byId("announcer").textContent = result.announcement;
    announced = link;
  } catch (error) {
    if (!(error instanceof RequestError)) return; // a newer request has taken its place
    refuse(error.payload);
  }
}

/** @param {Cause} cause @param {any} part */
function receive(cause, part) {
  if (part.link) {
    address.show(part.link, cause);
    form.lock(false);
    form.showErrors([], "");
    form.showReadings(part.readings);
    form.showChanged(part.changed);
    if (part.values) form.write(part.values);
    results.arrange(part.rows);
  }
  if (part.patch) results.patch(part.patch);
  if (part.row) results.putRow(part.row);
}

/** Keep the last good results, and say what is wrong. @param {any} payload */
function refuse(payload) {
  results.settle(false);
  form.lock(false);
  byId("lost").hidden = Boolean(payload.errors);
  if (payload.errors) form.showErrors(payload.errors, payload.problems);
  if (payload.patch) results.patch(payload.patch);
}

function restore() {
  ask("restore", { link: address.current() });
}

form.watch({
  onTyping: () => {
    clearTimeout(pause);
    pause = setTimeout(() => ask("typing", form.read()), PAUSE_MS);
  },
  onCommit: (name) => ask("commit", form.read(), name),
});
for (const button of all("[data-reset]")) {
  button.addEventListener("click", () => {
    form.set(button.dataset.reset ?? "", button.dataset.default ?? "");
    ask("commit", form.read());
  });
}
byId("reset-all").addEventListener("click", () => ask("commit", { link: "" }));
byId("add").addEventListener("click", () => {
  form.addDesign(/** @type {HTMLSelectElement} */ (byId("adder")).value);
  ask("commit", form.read());
});
byId("retry").addEventListener("click", () => planner.restart());
address.keepJumpsOut();
address.watch(restore);
watchCopyButtons();
why.watch((what) => planner.request("why", { language, ...what }).promise);

if (address.holdsPlan()) form.lock(true);
ask("start", { link: address.holdsPlan() ? address.current() : "" });
