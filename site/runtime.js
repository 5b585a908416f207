// The page's side of Python: starts the worker, watches the start, and carries requests and replies.
// It knows nothing of what is asked; types and payloads are between the page and planner.service.

/** @import { Diagnosis, Message, Planner, PlannerOptions, RequestOptions, PendingRequest, Runtime, State } from "./types.js" */

import { loadManifest, loadRuntime, RuntimeFileError } from "./files.js";

/** A worker that does not confirm a cancellation for so long is replaced; a new one is ready in about a second. */
const CANCEL_MS = 300;
/** Python's memory never shrinks; an idle worker above this is replaced. */
const HEAP_LIMIT_BYTES = 256 * 1024 * 1024;

/** Python's answer to a request was an error; `payload` says which. */
export class RequestError extends Error {
  /** @param {any} payload */
  constructor(payload) {
    super(payload?.message ?? "the planner answered with an error");
    this.name = "RequestError";
    this.payload = payload;
  }
}

/**
 * @typedef {RequestOptions & { id: number, type: string, payload: any, abandoned: boolean, timer: number,
 *   resolve: (payload: any) => void, reject: (error: unknown) => void }} Job
 */

/**
 * Starts Python at once.
 * @param {PlannerOptions} [options]
 * @returns {Planner}
 */
export function createPlanner({ base = new URL(".", import.meta.url), onState, onProgress, patienceMs = 20000 } = {}) {
  const folder = new URL("runtime/", new URL(base, location.href));
  /** @type {State} */
  let state = "starting";
  /** @type {Diagnosis | null} */
  let diagnosis = null;
  /** @type {Worker | null} */
  let worker = null;
  /** @type {Runtime | null} */
  let runtime = null;
  let attempt = new AbortController();
  let stage = "manifest";
  let patience = 0;
  let lastId = 0;
  let failedBefore = false;
  /** The request of each type that the worker holds, and the one that waits for it. @type {Map<string, Job>} */
  const active = new Map();
  /** @type {Map<string, Job>} */
  const waiting = new Map();

  /** @param {State} next @param {Diagnosis | null} [why] */
  function enter(next, why = null) {
    if (state === next && next !== "failed" && next !== "starting") return;
    state = next;
    diagnosis = why;
    onState?.(next, why);
  }

  /** @param {Diagnosis["stage"]} now @param {number} [loaded] @param {number} [total] */
  function progress(now, loaded = 0, total = 0) {
    stage = now;
    clearTimeout(patience);
    const limit = `no sign of life for ${Math.round(patienceMs / 1000)} s`;
    patience = setTimeout(() => fail({ stage, file: null, reason: limit }), patienceMs);
    onProgress?.({ stage: /** @type {any} */ (now), loaded, total });
  }

  async function start() {
    attempt = new AbortController();
    const { signal } = attempt;
    enter("starting");
    try {
      if (!runtime) progress("manifest");
      const manifest = runtime?.manifest ?? (await loadManifest(folder, signal));
      if (signal.aborted) return;
      spawn(manifest.files["worker.js"].url);
      send({ v: 1, id: 0, type: "prepare", payload: { manifest, folder: folder.href } });
      runtime ??= await loadRuntime(folder, manifest, {
        signal,
        fresh: failedBefore,
        onProgress: (now) => progress("download", now.loaded, now.total),
      });
      if (signal.aborted) return;
      progress("python");
      send({ v: 1, id: 0, type: "boot", payload: { module: runtime.module, archives: runtime.archives } });
    } catch (error) {
      if (signal.aborted) return;
      const file = error instanceof RuntimeFileError ? error.file : null;
      fail({ stage, file, reason: error instanceof RuntimeFileError ? error.reason : String(error) });
    }
  }

  /** @param {string} url relative to runtime/ */
  function spawn(url) {
    const spawned = new Worker(scriptUrl(new URL(url, folder).href), { type: "module" });
    spawned.addEventListener("message", ({ data }) => {
      if (spawned === worker) receive(typeof data === "string" ? JSON.parse(data) : data);
    });
    spawned.addEventListener("error", (event) => {
      if (spawned !== worker) return;
      const reason = event.message || "the worker script could not be loaded";
      fail({ stage, file: event.message ? null : "worker.js", reason });
    });
    worker = spawned;
  }

  function stop() {
    attempt.abort();
    clearTimeout(patience);
    worker?.terminate();
    worker = null;
    for (const job of active.values()) {
      clearTimeout(job.timer);
      // What was under way is asked again of the next worker, unless it is no longer wanted.
      if (!job.abandoned && !waiting.has(job.type)) waiting.set(job.type, job);
    }
    active.clear();
  }

  /** @param {Diagnosis} why */
  function fail(why) {
    stop();
    failedBefore = true;
    enter("failed", why);
  }

  function respawn() {
    stop();
    start();
  }

  /** @param {Message} message */
  function send(message) {
    worker?.postMessage(message);
  }

  /** @param {Message} message */
  function receive({ id, type, payload }) {
    if (id === 0) return receiveOwn(type, payload);
    const job = [...active.values()].find((candidate) => candidate.id === id);
    if (!job) return;
    if (type === "partial" || type === "progress") {
      if (!job.abandoned) (type === "partial" ? job.onPartial : job.onProgress)?.(payload);
      return;
    }
    clearTimeout(job.timer);
    active.delete(job.type);
    if (type === "result") job.resolve(payload);
    else if (type === "cancelled") job.reject(cancelled());
    else job.reject(new RequestError(payload));
    if (payload?.crashed) respawn();
    else pump();
  }

  /** @param {string} type @param {any} payload */
  function receiveOwn(type, payload) {
    if (type === "progress") progress(payload.stage);
    else if (type === "error") fail(payload);
    else if (type === "heap" && payload.bytes > HEAP_LIMIT_BYTES && active.size === 0) respawn();
    else if (type === "result") {
      clearTimeout(patience);
      stage = "running";
      enter("ready");
      pump();
    }
  }

  /** Hand each waiting request to the worker once the older one of its type has ended. */
  function pump() {
    if (state !== "ready" && state !== "running") return;
    for (const [type, job] of waiting) {
      if (active.has(type)) continue;
      waiting.delete(type);
      active.set(type, job);
      send({ v: 1, id: job.id, type, payload: job.payload });
    }
    enter(active.size > 0 ? "running" : "ready");
  }

  /** @param {Job} job */
  function cancel(job) {
    if (waiting.get(job.type) === job) waiting.delete(job.type);
    else if (active.get(job.type) === job && !job.abandoned) {
      job.abandoned = true;
      send({ v: 1, id: job.id, type: "cancel" });
      job.timer = setTimeout(respawn, CANCEL_MS);
    }
    job.reject(cancelled());
  }

  /** @type {Planner["request"]} */
  function request(type, payload, options = {}) {
    for (const older of [waiting.get(type), active.get(type)]) if (older) cancel(older);
    const id = ++lastId;
    /** @type {PendingRequest["promise"]} */
    const promise = new Promise((resolve, reject) => {
      waiting.set(type, { ...options, id, type, payload, resolve, reject, abandoned: false, timer: 0 });
    });
    const job = /** @type {Job} */ (waiting.get(type));
    promise.catch(() => {}); // a caller that only wants partial results need not handle the end
    pump();
    return { id, promise, cancel: () => cancel(job) };
  }

  start();
  return {
    get state() {
      return state;
    },
    get diagnosis() {
      return diagnosis;
    },
    request,
    restart: respawn,
    dispose: stop,
  };
}

function cancelled() {
  return new DOMException("the request was cancelled", "AbortError");
}

/**
 * The address as Trusted Types want it, where they are known; they allow scripts of this origin only.
 * @param {string} url @returns {string}
 */
function scriptUrl(url) {
  policy ??= /** @type {any} */ (globalThis).trustedTypes?.createPolicy("yuva-worker", {
    createScriptURL: (/** @type {string} */ address) => {
      if (new URL(address).origin !== location.origin) throw new TypeError("a script of another origin");
      return address;
    },
  });
  return policy ? policy.createScriptURL(url) : url;
}

/** @type {{ createScriptURL(url: string): any } | undefined} */
let policy;
