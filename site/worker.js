// Python in a worker: starts Pyodide from files that the page has already checked, then passes JSON envelopes to
// planner.service and its replies back. It computes nothing and looks into no payload.

/** @import { Manifest, Message } from "./types.js" */

const scope = /** @type {DedicatedWorkerGlobalScope} */ (/** @type {unknown} */ (self));
const HOME = "/yuva";

/** @type {Manifest} */
let manifest;
/** @type {string} */
let folder;
/** @type {Promise<[any, any]>} */
let scripts;
/** @type {any} */
let pyodide;
/** @type {any} */
let service;

scope.addEventListener("message", ({ data }) => {
  const { id, type, payload } = /** @type {Message} */ (data);
  if (type === "prepare") prepare(payload);
  else if (type === "boot") boot(payload);
  else if (type === "cancel") service.cancel(id);
  else handle(data);
});

/** @param {string} type @param {any} payload @param {number} [id] */
function post(type, payload, id = 0) {
  scope.postMessage({ v: 1, id, type, payload });
}

/** Load both scripts while the page still downloads the rest. @param {{ manifest: Manifest, folder: string }} what */
function prepare(what) {
  ({ manifest, folder } = what);
  const load = (/** @type {string} */ name) => import(new URL(manifest.files[name].url, folder).href);
  scripts = Promise.all([load("pyodide.js"), load("pyodide.asm.js")]);
  scripts.catch(() => {}); // told by boot, which waits for them
}

/** @param {{ module: WebAssembly.Module, archives: Record<string, ArrayBuffer> }} runtime */
async function boot({ module, archives }) {
  let stage = "python";
  let file = "pyodide.js";
  try {
    const [{ loadPyodide }, { default: createPyodideModule }] = await scripts;
    file = "pyodide.asm.wasm";
    const putBack = answerFromMemory(module, archives);
    try {
      pyodide = await loadPyodide({
        indexURL: folder,
        packageBaseUrl: folder,
        lockFileContents: manifest.lock,
        packages: ["numpy"],
        createPyodideModule,
        env: { HOME: "/home/pyodide", PYTHONDONTWRITEBYTECODE: "1" },
        // Python's own prints help whoever has the console open.
        stdout: (/** @type {string} */ line) => console.debug(line),
        stderr: (/** @type {string} */ line) => console.debug(line),
      });
    } finally {
      putBack();
    }
    stage = "planner";
    file = "planner.zip";
    post("progress", { stage });
    pyodide.unpackArchive(archives["planner.zip"], "zip", { extractDir: HOME });
    const path = pyodide.pyimport("sys").path;
    path.insert(0, HOME);
    path.destroy();
    service = pyodide.pyimport("planner.service");
    post("result", null);
  } catch (error) {
    post("error", { stage, file, reason: lastLine(error) });
  }
}

/**
 * Pyodide fetches its files and compiles its module by itself, without checks and, when that fails, without a word.
 * While it starts, its requests are answered with what the page has checked and compiled.
 * @param {WebAssembly.Module} module @param {Record<string, ArrayBuffer>} archives
 * @returns {() => void} puts the browser's own functions back
 */
function answerFromMemory(module, archives) {
  const { fetch } = scope;
  const { instantiateStreaming } = WebAssembly;
  const aliveSign = () => post("progress", { stage: "python" }); // a slow machine is not a hanging one
  scope.fetch = async (input) => {
    aliveSign();
    const name = new URL(String(input instanceof Request ? input.url : input)).pathname.split("/").pop() ?? "";
    return new Response(archives[name] ?? null, { status: archives[name] || name.endsWith(".wasm") ? 200 : 404 });
  };
  WebAssembly.instantiateStreaming = async (_, imports) => {
    try {
      const instance = await WebAssembly.instantiate(module, imports);
      aliveSign();
      return { module, instance };
    } catch (error) {
      // Pyodide would wait for ever for the instance that never comes.
      post("error", { stage: "python", file: "pyodide.asm.wasm", reason: lastLine(error) });
      throw error;
    }
  };
  return () => {
    scope.fetch = fetch;
    WebAssembly.instantiateStreaming = instantiateStreaming;
  };
}

/** @param {Message} message */
async function handle(message) {
  /** @type {any} */
  let running;
  try {
    running = service.handle(JSON.stringify(message), (/** @type {string} */ reply) => scope.postMessage(reply));
    await running;
  } catch (error) {
    // Python answers its own errors; what comes here has broken the interpreter or the service.
    post("error", { message: lastLine(error), crashed: true }, message.id);
  } finally {
    running?.destroy();
  }
  post("heap", { bytes: pyodide._module.HEAPU8.byteLength });
}

/** The line of a Python traceback, or of any error, that says what happened. @param {unknown} error */
function lastLine(error) {
  const text = error instanceof Error ? error.message : String(error);
  return text.trim().split("\n").pop() ?? text;
}
