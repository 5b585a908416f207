// Plans scenarios in Pyodide under Node: node plan.mjs ROOT RUNTIME < [fragment, ...] > [document, ...]
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { loadPyodide } from "pyodide";

const [root, runtime] = process.argv.slice(2);
const manifest = JSON.parse(readFileSync(join(runtime, "manifest.json"), "utf8"));
const name = Object.keys(manifest.files).find((file) => file.endsWith(".whl"));
const pyodide = await loadPyodide();
pyodide.unpackArchive(new Uint8Array(readFileSync(join(runtime, name))), "whl");
pyodide.FS.mkdirTree("/checkout");
pyodide.FS.mount(pyodide.FS.filesystems.NODEFS, { root }, "/checkout");
pyodide.globals.set("fragments", readFileSync(0, "utf8"));
const text = pyodide.runPython(`
import json, sys
sys.dont_write_bytecode = True
sys.path.insert(0, "/checkout")
from planner import links, plan
json.dumps([plan.run(links.read(fragment).scenario) for fragment in json.loads(fragments)])
`);
process.stdout.write(text);
