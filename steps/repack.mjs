// Runs steps/in_pyodide.py in Pyodide: node repack.mjs IN.zip OUT.zip [IN.zip OUT.zip ...]
import { readFileSync, writeFileSync } from "node:fs";
import { loadPyodide } from "pyodide";

const beside = (/** @type {string} */ name) => new URL(name, import.meta.url);
// Sets in constants are written in hash order: a fixed seed gives every machine the same bytes.
const pyodide = await loadPyodide({ env: { PYTHONHASHSEED: "0" } });
pyodide.FS.writeFile("/in_pyodide.py", readFileSync(beside("in_pyodide.py")));
pyodide.runPython("import sys; sys.path.insert(0, '/')");
const tools = pyodide.pyimport("in_pyodide");
for (let i = 2; i < process.argv.length; i += 2) {
  pyodide.FS.writeFile("/in.zip", readFileSync(process.argv[i]));
  tools.repack("/in.zip", "/out.zip");
  writeFileSync(process.argv[i + 1], pyodide.FS.readFile("/out.zip"));
}
