#!/usr/bin/env python3
"""Sets up, builds, serves and tests Yuva.

    python3 build.py           builds dist/
    python3 build.py serve     builds and serves it on 127.0.0.1
    python3 build.py test      builds and runs every check and test, the browser's included
    python3 build.py relock    writes runtime.lock.json anew, after Pyodide, NumPy or the selection of files changed

Each command installs what is missing first: Python packages into .venv, Node packages into node_modules, both from
lock files with hashes. Later runs need no network. What each step does and why is told in its module under steps/.
"""

from __future__ import annotations

import sys

if sys.version_info < (3, 11):  # noqa: UP036 - an older Python is told so
    sys.stderr.write("build.py: Python 3.11 or newer is needed; start it with one, for example python3.12 build.py\n")
    sys.exit(2)

import argparse
from pathlib import Path

from steps import node_env, python_env, server
from steps.failure import BuildError
from steps.lock import only_build
from steps.paths import DIST
from steps.report import note, step


def build(options: argparse.Namespace) -> int:
    """Set up and build the site."""
    with only_build():
        set_up("build")
        build_site(options)
    note(f"built {options.out}")
    return 0


def serve(options: argparse.Namespace) -> int:
    """Set up, build, and serve until interrupted."""
    server.claim_port(options.port)
    with only_build():
        set_up("build")
        build_site(options)
    server.serve(options.out, options.port, options.base_path)
    return 0


def test(options: argparse.Namespace) -> int:
    """Set up, build, and run every check."""
    with only_build():
        set_up("test")
        from steps import browser

        with step("browser for the tests") as running:
            chromium = browser.find_or_install()
            running.detail = str(chromium)
        build_site(options)
    from steps import checks

    return checks.run_all(options.out, chromium, options.pytest)


def relock(options: argparse.Namespace) -> int:
    """Pin the browser's Python anew."""
    with only_build():
        set_up("build")
        from steps import repacked

        with step("runtime.lock.json"):
            repacked.relock(options.numpy_wheel)
    return 0


def set_up(packages: str) -> None:
    """Install what is missing; returns in the virtual environment only."""
    python_env.enter(packages)
    with step("Node packages") as running:
        running.detail = "package-lock.json, " + ("installed" if node_env.prepare() else "as pinned")


def build_site(options: argparse.Namespace) -> None:
    """Assemble the site and put it in place."""
    from steps import dist  # needs the packages of the virtual environment

    dist.build(options.out, options.base_path, options.numpy_wheel)


COMMANDS = {"build": build, "serve": serve, "test": test, "relock": relock}


def parse(arguments: list[str]) -> argparse.Namespace:
    """The command line; what follows ``--`` goes to pytest."""
    cut = arguments.index("--") if "--" in arguments else len(arguments)
    parser = argparse.ArgumentParser(
        prog="build.py", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("command", nargs="?", choices=COMMANDS, default="build", help="what to do (default: build)")
    parser.add_argument("--out", type=Path, default=DIST, metavar="DIR", help="the built site (default: dist)")
    parser.add_argument("--base-path", default="/", metavar="PATH", help="where it will be hosted (default: /)")
    parser.add_argument("--port", type=int, default=8000, help="port of serve; 0 takes a free one (default: 8000)")
    parser.add_argument("--numpy-wheel", type=Path, metavar="PATH", help="the NumPy wheel for Pyodide, if you have it")
    parser.epilog = "arguments after -- go to pytest: python3 build.py test -- -k boot"
    options = parser.parse_args(arguments[:cut])
    options.pytest = arguments[cut + 1 :]
    options.out = options.out.absolute()
    options.base_path = "/" + "".join(f"{part}/" for part in options.base_path.split("/") if part)
    return options


def main(arguments: list[str]) -> int:
    """Run the command; 0 done, 1 a test failed, 2 a step failed, 130 interrupted."""
    options = parse(arguments)
    try:
        return COMMANDS[options.command](options)
    except BuildError as problem:
        note(f"build.py: {problem}")
        return 2
    except KeyboardInterrupt:
        note("")
        return 130


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
