// Runs a Python program in Pyodide under Node: node python.mjs ROOT RUNTIME PROGRAM < TEXT
// The program finds the planner of the checkout, the packages of the bundle, and TEXT in `given`; its last value is
// the output.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { loadPyodide } from "pyodide";

const [root, runtime, program] = process.argv.slice(2);
const manifest = JSON.parse(readFileSync(join(runtime, "manifest.json"), "utf8"));
const wheel = Object.keys(manifest.files).find((file) => file.endsWith(".whl"));
const bytes = (name) => new Uint8Array(readFileSync(join(runtime, name)));
const pyodide = await loadPyodide();
pyodide.unpackArchive(bytes(wheel), "whl");
pyodide.unpackArchive(bytes("planner.zip"), "zip", { extractDir: "/bundle" });
pyodide.FS.mkdirTree("/checkout");
pyodide.FS.mount(pyodide.FS.filesystems.NODEFS, { root }, "/checkout");
pyodide.runPython("import sys; sys.dont_write_bytecode = True; sys.path[:0] = ['/checkout', '/bundle']");
pyodide.globals.set("given", readFileSync(0, "utf8"));
process.stdout.write(pyodide.runPython(program));
