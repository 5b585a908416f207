// One timed run of the JavaScript model; the same under Node and in a browser.

import { defaultLoad, plan, simulate } from "./ticks.mjs";

/** @param {string} what "plan", or a design @returns {{ ms: number, rows: object[] }} */
export function timed(what) {
  const start = performance.now();
  const rows = what === "plan" ? plan().rows : [simulate(what, defaultLoad())];
  return { ms: performance.now() - start, rows };
}
