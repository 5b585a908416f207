"""The tab's interpreter under Node, for what must come out the same there."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
RUNTIME = Path(os.environ.get("YUVA_DIST", ROOT / "dist")) / "runtime"


@pytest.fixture(scope="session")
def in_tab() -> Callable[[str, object], Any]:
    """Runs a Python program on a value, both sides as JSON: the text is in ``given``, the last value is the answer."""

    def run(program: str, value: object) -> Any:
        node = shutil.which("node")
        assert node is not None, "Node is needed"
        assert RUNTIME.exists(), "python3 build.py makes the runtime"
        command = [node, str(Path(__file__).with_name("python.mjs")), str(ROOT), str(RUNTIME), program]
        done = subprocess.run(command, input=json.dumps(value), capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    return run
