// Downloads the browser's Python, checks each file against the manifest, and compiles the WebAssembly module.
// Nothing is taken on trust: a missing, altered or mistyped file ends in a RuntimeFileError that names it.

/** @import { Manifest, Progress, Runtime, RuntimeFile } from "./types.js" */

const SCRIPTS = ["worker.js", "pyodide.js", "pyodide.asm.js"];
const WASM = "pyodide.asm.wasm";

export class RuntimeFileError extends Error {
  /** @param {string} file @param {string} reason */
  constructor(file, reason) {
    super(`${file}: ${reason}`);
    this.file = file;
    this.reason = reason;
  }
}

/**
 * @param {URL} folder the address of runtime/
 * @param {AbortSignal} signal
 * @returns {Promise<Manifest>}
 */
export async function loadManifest(folder, signal) {
  const file = "manifest.json";
  const response = await get(file, new URL(file, folder), { cache: "no-cache", signal });
  try {
    const manifest = await response.json();
    if (manifest.v === 1) return manifest;
  } catch {
    // Told below: a page in the place of the file and a broken file are the same to the user.
  }
  throw new RuntimeFileError(file, "is not the manifest of this version");
}

/**
 * @param {URL} folder the address of runtime/
 * @param {Manifest} manifest
 * @param {{ signal: AbortSignal, fresh: boolean, onProgress: (progress: Progress) => void }} options
 *   `fresh` passes by the browser's cache, which may hold the very file that failed before
 * @returns {Promise<Runtime>}
 */
export async function loadRuntime(folder, manifest, { signal, fresh, onProgress }) {
  const total = Object.values(manifest.files).reduce((sum, entry) => sum + entry.bytes, 0);
  let loaded = 0;
  const count = (/** @type {number} */ bytes) => {
    loaded += bytes;
    onProgress({ stage: "download", loaded, total });
  };
  /** @type {Record<string, ArrayBuffer>} */
  const archives = {};
  /** @type {WebAssembly.Module | undefined} */
  let module;
  await Promise.all(
    Object.entries(manifest.files).map(async ([file, entry]) => {
      /** @type {RequestInit} */
      const init = { signal, cache: fresh ? "reload" : "default" };
      // Outside a secure context there is no SubtleCrypto; the browser then checks the hash, without progress.
      if (!globalThis.crypto?.subtle) init.integrity = `sha256-${base64(entry.sha256)}`;
      const response = await get(file, new URL(entry.url, folder), init);
      if (SCRIPTS.includes(file)) requireScriptType(file, response);
      if (file === WASM) module = await compile(file, entry, response, count);
      else archives[file] = await checkedBytes(file, entry, response, count);
    }),
  );
  if (!module) throw new RuntimeFileError(WASM, "is not named in the manifest");
  for (const file of SCRIPTS) delete archives[file]; // checked here, loaded by the worker itself
  return { manifest, module, archives };
}

/** @param {string} file @param {URL} url @param {RequestInit} init */
async function get(file, url, init) {
  /** @type {Response} */
  let response;
  try {
    response = await fetch(url, init);
  } catch (error) {
    if (init.signal?.aborted) throw error;
    throw new RuntimeFileError(file, init.integrity ? "did not arrive, or is not the file that was built" : "did not arrive");
  }
  if (!response.ok) throw new RuntimeFileError(file, `the server answers ${response.status}`);
  return response;
}

/** @param {string} file @param {Response} response */
function requireScriptType(file, response) {
  const type = response.headers.get("content-type") ?? "no type";
  if (!/\b(java|ecma)script\b/.test(type)) throw new RuntimeFileError(file, `is served as ${type}, not as JavaScript`);
}

/**
 * Compiles while the bytes arrive; a server that gives .wasm another type costs only that head start.
 * @param {string} file @param {RuntimeFile} entry @param {Response} response @param {(bytes: number) => void} count
 */
async function compile(file, entry, response, count) {
  const copy = response.clone();
  const early = WebAssembly.compileStreaming(response).catch(() => null);
  const bytes = await checkedBytes(file, entry, copy, count);
  try {
    return (await early) ?? (await WebAssembly.compile(bytes));
  } catch (error) {
    throw new RuntimeFileError(file, `cannot be compiled by this browser (${error instanceof Error ? error.message : error})`);
  }
}

/** @param {string} file @param {RuntimeFile} entry @param {Response} response @param {(bytes: number) => void} count */
async function checkedBytes(file, entry, response, count) {
  /** @type {Uint8Array<ArrayBuffer>[]} */
  const chunks = [];
  try {
    const reader = /** @type {ReadableStream<Uint8Array<ArrayBuffer>>} */ (response.body).getReader();
    for (let step = await reader.read(); !step.done; step = await reader.read()) {
      chunks.push(step.value);
      count(step.value.byteLength);
    }
  } catch {
    throw new RuntimeFileError(file, "broke off on its way");
  }
  const bytes = await new Blob(chunks).arrayBuffer();
  const same = bytes.byteLength === entry.bytes && (await hashMatches(bytes, entry.sha256));
  if (!same) throw new RuntimeFileError(file, `is not the file that was built (${bytes.byteLength} of ${entry.bytes} bytes)`);
  return bytes;
}

/** @param {ArrayBuffer} bytes @param {string} sha256 */
async function hashMatches(bytes, sha256) {
  const subtle = globalThis.crypto?.subtle;
  if (!subtle) return true; // fetch has checked it
  const digest = new Uint8Array(await subtle.digest("SHA-256", bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("") === sha256;
}

/** @param {string} hex */
function base64(hex) {
  return btoa(hex.replace(/../g, (pair) => String.fromCharCode(parseInt(pair, 16))));
}
