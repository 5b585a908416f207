"""Run a tool quietly; when it fails, turn its output into one line that names the way out."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from steps.failure import BuildError
from steps.paths import ROOT

# Words by which package tools say that they could not reach their registry.
_OFFLINE = (
    "ENOTFOUND", "EAI_AGAIN", "ECONNREFUSED", "ECONNRESET", "ETIMEDOUT", "ENETUNREACH",
    "Failed to establish a new connection", "Temporary failure", "Name or service not known",
    "Read timed out", "ConnectTimeout", "Connection refused", "Max retries exceeded", "Could not resolve",
    "Network is unreachable", "ProxyError", "network request to", "NewConnectionError", "Failed to fetch",
    "No matching distribution found",
)  # fmt: skip
_TAMPERED = ("DO NOT MATCH THE HASHES", "EINTEGRITY")


def quietly(
    command: Sequence[str | Path],
    *,
    what: str,
    cwd: Path = ROOT,
    env: Mapping[str, str] | None = None,
    timeout_s: float | None = None,
) -> str:
    """Run ``command`` and return its standard output.

    ``what`` names the thing being done in errors; ``env`` is added to the environment.
    Raises BuildError when the tool is missing, fails, or takes longer than ``timeout_s``.
    """
    try:
        done = subprocess.run(
            [str(part) for part in command],
            cwd=cwd,
            env={**os.environ, **(env or {})},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=timeout_s,
        )
    except FileNotFoundError as error:
        raise BuildError(f"{what}: {command[0]} is not installed or not on PATH") from error
    except subprocess.TimeoutExpired as error:
        raise BuildError(f"{what}: no end after {timeout_s:.0f} s; check the network, then run again") from error
    if done.returncode != 0:
        raise BuildError(f"{what}: {explain(done.stdout + done.stderr)}")
    return done.stdout


def explain(output: str) -> str:
    """One line that says why a tool failed, from all that it printed."""
    if any(word in output for word in _TAMPERED):
        return "a downloaded file does not match its pinned hash and was refused; check the registry or proxy in use"
    if any(word in output for word in _OFFLINE):
        return "the package registry did not answer; check the network or proxy settings, then run again"
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    errors = [line for line in lines if "error" in line.lower()]
    return (errors or lines or ["it failed without a word"])[-1][:300]
