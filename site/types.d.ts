// Shapes shared by the page and its worker. Checked by tsc, not shipped.

export interface RuntimeFile {
  /** Relative to runtime/; its query changes with the content. */
  url: string;
  sha256: string;
  /** Size before any compression on the way. */
  bytes: number;
}

export interface Manifest {
  v: 1;
  /** Changes with any file of the site. */
  version: string;
  files: Record<string, RuntimeFile>;
  /** Pyodide's lock file, cut down to the packages in use. */
  lock: { packages: Record<string, { file_name: string }> };
}

/** What a worker needs to start Python without asking the network for more than two scripts. */
export interface Runtime {
  manifest: Manifest;
  module: WebAssembly.Module;
  /** Contents of the archives by name. */
  archives: Record<string, ArrayBuffer>;
}

export interface Message {
  v: 1;
  /** Number of the request; 0 for the start of the worker itself. */
  id: number;
  type: string;
  payload?: any;
}

export type State = "starting" | "ready" | "running" | "failed";

/** Why the start failed, for the page to show. */
export interface Diagnosis {
  stage: string;
  file: string | null;
  reason: string;
}

/** Bytes of the download, or 0 of 0 for a stage that has no bytes. */
export interface Progress {
  stage: "manifest" | "download" | "python" | "planner";
  loaded: number;
  total: number;
}

export interface PlannerOptions {
  /** Folder that holds worker.js and runtime/; the one of runtime.js when left out. */
  base?: string | URL;
  onState?: (state: State, diagnosis: Diagnosis | null) => void;
  onProgress?: (progress: Progress) => void;
  /** A start that shows no sign of life for so long has failed. */
  patienceMs?: number;
}

export interface RequestOptions {
  onPartial?: (payload: any) => void;
  onProgress?: (payload: any) => void;
}

export interface PendingRequest {
  id: number;
  /** Rejects with an AbortError when cancelled, with a RequestError when Python answers with an error. */
  promise: Promise<any>;
  cancel(): void;
}

export interface Planner {
  readonly state: State;
  readonly diagnosis: Diagnosis | null;
  request(type: string, payload: any, options?: RequestOptions): PendingRequest;
  /** Start again after a failure; requests that wait are answered then. */
  restart(): void;
  dispose(): void;
}
