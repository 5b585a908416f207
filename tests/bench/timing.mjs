// One timed run of the JavaScript model; the same under Node and in a browser.

import { defaultLoad, plan, simulate } from "./ticks.mjs";

/** @param {string} what "plan", or a design; the plan brings its sizes too @returns {{ ms: number, rows: object[] }} */
export function timed(what) {
  const start = performance.now();
  const found = what === "plan" ? plan() : { rows: [simulate(what, defaultLoad())] };
  return { ms: performance.now() - start, ...found };
}
