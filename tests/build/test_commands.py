"""build.py as a user meets it."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from steps.hashing import sha256_of
from steps.paths import ROOT

BUILD = [sys.executable, str(ROOT / "build.py")]


def run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*BUILD, *arguments], capture_output=True, text=True, env={**os.environ, **environment}, timeout=120
    )


def last_line(done: subprocess.CompletedProcess[str]) -> str:
    assert "Traceback" not in done.stderr
    return done.stderr.strip().splitlines()[-1]


def tree(folder: Path) -> dict[str, str]:
    return {path.relative_to(folder).as_posix(): sha256_of(path) for path in folder.rglob("*") if path.is_file()}


def test_help_names_every_command_and_option() -> None:
    text = run("--help").stdout
    for word in ("serve", "test", "relock", "--port", "--out", "--base-path", "--numpy-wheel"):
        assert word in text


def test_a_port_in_use_ends_with_status_2_before_anything_is_built(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        done = run("serve", "--port", str(taken.getsockname()[1]), "--out", str(tmp_path / "dist"))
    assert done.returncode == 2
    assert "--port" in last_line(done)
    assert not (tmp_path / "dist").exists()


def test_a_missing_node_ends_with_status_2(tmp_path: Path) -> None:
    done = run("--out", str(tmp_path / "dist"), PATH=str(tmp_path))
    assert done.returncode == 2
    assert "install Node.js" in last_line(done)


def test_an_old_node_ends_with_status_2(tmp_path: Path) -> None:
    node = tmp_path / "node"
    node.write_text("#!/bin/sh\necho v18.20.0\n")
    node.chmod(0o755)
    done = run("--out", str(tmp_path / "dist"), PATH=f"{tmp_path}:{os.environ['PATH']}")
    assert done.returncode == 2
    assert "node is v18.20.0" in last_line(done)


def test_a_wrong_numpy_wheel_ends_with_status_2_and_leaves_no_site(tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.whl"
    wrong.write_bytes(b"wrong")
    done = run("--out", str(tmp_path / "dist"), "--numpy-wheel", str(wrong))
    assert done.returncode == 2
    assert "refused" in last_line(done)
    assert list(tmp_path.iterdir()) == [wrong]


def test_a_browser_that_does_not_exist_ends_with_status_2(tmp_path: Path) -> None:
    done = run("test", "--out", str(tmp_path / "dist"), YUVA_CHROMIUM=str(tmp_path / "none"))
    assert done.returncode == 2
    assert "YUVA_CHROMIUM" in last_line(done)


def test_a_kill_at_any_time_leaves_a_whole_site(tmp_path: Path) -> None:
    out = tmp_path / "dist"
    begin = time.monotonic()
    assert run("--out", str(out)).returncode == 0
    seconds = time.monotonic() - begin
    whole = tree(out)
    for part in range(1, 9):
        building = subprocess.Popen([*BUILD, "--out", str(out)], stderr=subprocess.DEVNULL)
        time.sleep(seconds * part / 8)
        building.kill()
        building.wait()
        assert tree(out) == whole
    assert run("--out", str(out)).returncode == 0
    assert list(tmp_path.iterdir()) == [out]


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_serve_prints_its_address_and_ends_on_interrupt(tmp_path: Path) -> None:
    serving = subprocess.Popen(
        [*BUILD, "serve", "--port", "0", "--out", str(tmp_path / "dist")],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert serving.stdout is not None
    assert serving.stdout.readline().startswith("Yuva is at http://127.0.0.1:")
    serving.send_signal(signal.SIGINT)
    _, errors = serving.communicate(timeout=10)
    assert serving.returncode in (0, 130)
    assert "Traceback" not in errors
