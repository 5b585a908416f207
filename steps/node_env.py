"""Node packages: Pyodide and the TypeScript checker, installed by ``npm ci`` from the lock file."""

from __future__ import annotations

import re
import shutil

from steps.failure import BuildError
from steps.hashing import combined_key
from steps.paths import NODE_MODULES, ROOT
from steps.run import quietly

OLDEST_NODE = 20


def prepare() -> bool:
    """Check Node and install the packages unless their stamp is current; True when they were installed."""
    node_program()
    stamp = NODE_MODULES / ".yuva.stamp"
    key = combined_key((ROOT / name).read_bytes() for name in ("package.json", "package-lock.json"))
    if stamp.is_file() and stamp.read_text() == key:
        return False
    npm = shutil.which("npm")
    if npm is None:
        raise BuildError(f"npm is not on PATH; install Node.js {OLDEST_NODE} or newer together with npm")
    quietly(
        [npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--fetch-retries=1", "--fetch-timeout=30000"],
        what="npm packages of package-lock.json",
    )
    stamp.write_text(key)
    return True


def node_program() -> str:
    """Path of a Node that is new enough."""
    node = shutil.which("node")
    if node is None:
        raise BuildError(f"node is not on PATH; install Node.js {OLDEST_NODE} or newer")
    version = quietly([node, "--version"], what="asking Node.js for its version").strip()
    major = re.match(r"v(\d+)\.", version)
    if major is None or int(major[1]) < OLDEST_NODE:
        raise BuildError(f"node is {version}; install Node.js {OLDEST_NODE} or newer and put it first on PATH")
    return node
