// What the page says about the calculator itself: starting, how far, ready, running, or why it failed.

/** @import { Diagnosis, Progress, State } from "../types.js" */

import { all, byId } from "./dom.js";

const root = document.documentElement;
const megabytes = new Intl.NumberFormat(root.lang, { minimumFractionDigits: 1, maximumFractionDigits: 1 });

/** @param {State} state @param {Diagnosis | null} diagnosis */
export function showState(state, diagnosis) {
  root.dataset.state = state;
  for (const part of all("[data-when]")) part.hidden = part.dataset.when !== state;
  byId("failed-file").textContent = diagnosis?.file ?? "–";
  byId("failed-reason").textContent = diagnosis?.reason ?? "";
}

/** @param {Progress} progress */
export function showProgress({ stage, loaded, total }) {
  for (const part of all("[data-stage]")) part.hidden = part.dataset.stage !== stage;
  const bytes = byId("bytes");
  const counted = stage === "download" && total > 0;
  const million = (/** @type {number} */ count) => megabytes.format(count / 1e6);
  bytes.textContent = counted ? `${million(loaded)} / ${million(total)} ${bytes.dataset.unit}` : "";
  const bar = /** @type {HTMLProgressElement} */ (byId("progress"));
  if (counted) bar.value = loaded / total;
}
