"""The virtual environment ``.venv``, filled from hashed lock files, and the step into it.

The lock files under ``requirements/`` are made from the ``.in`` files beside them with
``uv pip compile --generate-hashes --universal --python-version 3.11``; pip refuses whatever does not match.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from steps.failure import BuildError
from steps.hashing import combined_key
from steps.paths import REQUIREMENTS, ROOT, VENV
from steps.report import step
from steps.run import quietly

_ENTERED = "YUVA_BUILD_ENTERED"


def enter(packages: str) -> None:
    """Go on in the virtual environment with ``requirements/<packages>.txt`` installed.

    Returns only when the process already runs there; else it sets the environment up and starts build.py again in it.
    """
    inside = Path(sys.prefix).resolve() == VENV.resolve()
    if os.environ.pop(_ENTERED, None) == str(VENV):
        if not inside:  # else a broken environment would start build.py for ever
            raise BuildError(f"{VENV} does not behave like a virtual environment; delete it and run again")
        return
    with step("Python packages") as running:
        running.detail = f"{packages}.txt, " + ("installed" if prepare(packages) else "as pinned")
    if inside:
        return
    command = [str(venv_python()), str(ROOT / "build.py"), *sys.argv[1:]]
    environment = {**os.environ, _ENTERED: str(VENV)}
    if sys.platform == "win32":  # execv there returns to the shell before the new process is done
        raise SystemExit(subprocess.call(command, env=environment))
    os.execve(command[0], command, environment)


def prepare(packages: str) -> bool:
    """Install the packages unless their stamp says that they are there; True when something was installed."""
    stamp = VENV / f"yuva-{packages}.stamp"
    key = _key(packages)
    if stamp.is_file() and stamp.read_text() == key and venv_python().exists():
        return False
    base = VENV / "yuva-build.stamp"
    if not (base.is_file() and base.read_text() == _key("build") and venv_python().exists()):
        _create()
    quietly(
        [venv_python(), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-input",
         "--retries", "2", "--timeout", "30", "--only-binary", ":all:", "--require-hashes",
         "-r", REQUIREMENTS / f"{packages}.txt"],
        what=f"Python packages of requirements/{packages}.txt",
    )  # fmt: skip
    for name in {packages, "build"}:  # every list holds the build's packages
        (VENV / f"yuva-{name}.stamp").write_text(_key(name))
    return True


def venv_python() -> Path:
    """The interpreter of the virtual environment."""
    return VENV / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")


def _create() -> None:
    """Make the environment anew; a half-made one has no stamp and is replaced."""
    if Path(sys.prefix).resolve() == VENV.resolve():
        raise BuildError(f"the pinned packages changed: leave the environment {VENV} and run python3 build.py again")
    quietly(
        [sys.executable, "-m", "venv", "--clear", VENV],
        what="creating .venv (on Debian and Ubuntu the package python3-venv is needed)",
    )


def _key(packages: str) -> str:
    version = f"{sys.version_info[0]}.{sys.version_info[1]}"
    return combined_key([version.encode(), str(VENV).encode(), (REQUIREMENTS / f"{packages}.txt").read_bytes()])
