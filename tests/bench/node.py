"""The JavaScript model in one Node that stays, so that its compiler has warmed up as a user's page would."""

from __future__ import annotations

import atexit
import json
import subprocess
from functools import cache
from pathlib import Path
from typing import Any

from steps import node_env

_TIMING = (Path(__file__).parent / "timing.mjs").as_uri()
_ANSWER_LINES = f"""
import {{ createInterface }} from "node:readline";
import {{ timed }} from {json.dumps(_TIMING)};
for await (const what of createInterface(process.stdin)) console.log(JSON.stringify(timed(what)));
"""


def timed(what: str) -> dict[str, Any]:
    """Milliseconds and rows of ``"plan"`` or of one design."""
    process = _process()
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(what + "\n")
    process.stdin.flush()
    answer: dict[str, Any] = json.loads(process.stdout.readline())
    return answer


@cache
def _process() -> subprocess.Popen[str]:
    command = [node_env.node_program(), "--input-type=module", "-e", _ANSWER_LINES]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    atexit.register(process.terminate)
    return process
