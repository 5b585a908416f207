// Answers the models in Pyodide under Node: node models.mjs ROOT RUNTIME < [[model, {option: value}], ...] > [document, ...]
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { loadPyodide } from "pyodide";

const [root, runtime] = process.argv.slice(2);
const manifest = JSON.parse(readFileSync(join(runtime, "manifest.json"), "utf8"));
const name = Object.keys(manifest.files).find((file) => file.endsWith(".whl"));
const pyodide = await loadPyodide();
pyodide.unpackArchive(new Uint8Array(readFileSync(join(runtime, name))), "whl");
// The packages of the bundle; the planner itself comes from the checkout.
pyodide.unpackArchive(new Uint8Array(readFileSync(join(runtime, "planner.zip"))), "zip", { extractDir: "/bundle" });
pyodide.FS.mkdirTree("/checkout");
pyodide.FS.mount(pyodide.FS.filesystems.NODEFS, { root }, "/checkout");
pyodide.globals.set("asked", readFileSync(0, "utf8"));
const text = pyodide.runPython(`
import json, sys
from importlib import import_module
sys.dont_write_bytecode = True
sys.path[:0] = ["/checkout", "/bundle"]
from planner.ops import inputs
from planner.ops.load import Load
from planner.scenario import Scenario
def answer(model, values):
    module = import_module("planner.ops." + model)
    return module.report(inputs.build(module.Inputs, values), Load.of(Scenario())).document("tr")
json.dumps([answer(*question) for question in json.loads(asked)])
`);
process.stdout.write(text);
