"""All that ``build.py test`` runs after the build."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from steps.node_env import node_program
from steps.paths import NODE_MODULES, ROOT
from steps.report import note, step


def run_all(site: Path, browser: Path, pytest_arguments: Sequence[str]) -> int:
    """Run linter, type checkers and tests; 0 when all pass, else 1. pytest comes last: its summary ends the output."""
    python = sys.executable
    tsc = [node_program(), str(NODE_MODULES / "typescript/bin/tsc"), "--project"]
    passed = [
        _passes("ruff", [python, "-m", "ruff", "check", "planner", "steps", "tests", "build.py"]),
        _passes("mypy", [python, "-m", "mypy"]),
        _passes("tsc, page", [*tsc, str(ROOT / "steps/tsconfig.page.json")]),
        _passes("tsc, workers", [*tsc, str(ROOT / "steps/tsconfig.worker.json")]),
    ]
    environment = {**os.environ, "YUVA_CHROMIUM": str(browser), "YUVA_DIST": str(site)}
    if not all(passed):
        note("a check above failed; the tests run all the same")
    tests = subprocess.run([python, "-m", "pytest", *pytest_arguments], cwd=ROOT, env=environment)
    return 0 if all(passed) and tests.returncode == 0 else 1


def _passes(name: str, command: list[str]) -> bool:
    with step(name) as running:
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
        running.detail = "passed" if done.returncode == 0 else "FAILED\n" + (done.stdout + done.stderr).rstrip()
    return done.returncode == 0
