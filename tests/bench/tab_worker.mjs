// A worker beside the built site: the JavaScript model, or the planner in the site's own Python. One a worker.

import { timed } from "./timing.mjs";

const RUNTIME = new URL("../runtime/", import.meta.url);
/** @type {(what: string) => unknown} */
let run = timed;

self.addEventListener("message", async ({ data: { id, start, what } }) => {
  try {
    if (start === "planner") run = await startPlanner();
    self.postMessage({ id, result: what ? run(what) : null });
  } catch (error) {
    self.postMessage({ id, error: String(error) });
  }
});

/** Pyodide, NumPy and the planner as the site brings them, and the measuring as CPython runs it. */
async function startPlanner() {
  const manifest = await (await fetch(new URL("manifest.json", RUNTIME))).json();
  const { loadPyodide } = await import(new URL("pyodide.js", RUNTIME).href);
  const { default: createPyodideModule } = await import(new URL("pyodide.asm.js", RUNTIME).href);
  const pyodide = await loadPyodide({
    indexURL: RUNTIME.href,
    packageBaseUrl: RUNTIME.href,
    lockFileContents: manifest.lock,
    packages: ["numpy"],
    createPyodideModule,
  });
  pyodide.unpackArchive(await (await fetch(new URL("planner.zip", RUNTIME))).arrayBuffer(), "zip", { extractDir: "/home" });
  pyodide.runPython("import sys; sys.path.insert(0, '/home')");
  pyodide.runPython(await (await fetch(new URL("product.py", import.meta.url))).text());
  pyodide.runPython("import json");
  const answer = pyodide.runPython("lambda what: json.dumps(timed(what))");
  return (/** @type {string} */ what) => JSON.parse(answer(what));
}
