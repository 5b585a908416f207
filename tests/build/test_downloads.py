"""A file is used only if its hash is the pinned one, wherever it comes from."""

from __future__ import annotations

import hashlib
import re
import zipfile
from pathlib import Path

import pytest

from steps import numpy_wheel, runtime_lock, store
from steps.failure import BuildError
from steps.paths import REQUIREMENTS, ROOT, cache_dir
from steps.run import explain
from steps.runtime_lock import NUMPY_WHEEL

WHEEL = b"the bytes of a wheel" * 100
SHA256 = hashlib.sha256(WHEEL).hexdigest()


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("YUVA_CACHE", str(tmp_path / "cache"))


def kept_files() -> list[Path]:
    return [path for path in cache_dir().rglob("*") if path.is_file()]


def carrier(folder: Path, content: bytes) -> Path:
    path = folder / "carrier-1.whl"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(f"open_webui/frontend/pyodide/{NUMPY_WHEEL}", content)
    return path


def test_a_given_wheel_with_the_right_hash_is_kept_for_later_builds(tmp_path: Path) -> None:
    given = tmp_path / "given.whl"
    given.write_bytes(WHEEL)
    numpy_wheel.obtain(SHA256, given)
    given.unlink()
    assert numpy_wheel.obtain(SHA256, None).read_bytes() == WHEEL


@pytest.mark.parametrize("damaged", [WHEEL[:-1], WHEEL[:-1] + b"!", b""])
def test_a_truncated_or_altered_wheel_is_refused_and_not_kept(tmp_path: Path, damaged: bytes) -> None:
    given = tmp_path / "given.whl"
    given.write_bytes(damaged)
    with pytest.raises(BuildError, match="refused") as problem:
        numpy_wheel.obtain(SHA256, given)
    assert "\n" not in str(problem.value)
    assert kept_files() == []


def test_a_wheel_that_does_not_exist_is_named(tmp_path: Path) -> None:
    with pytest.raises(BuildError, match="does not exist"):
        numpy_wheel.obtain(SHA256, tmp_path / "nothing.whl")


def test_a_cached_file_that_was_altered_is_removed(tmp_path: Path) -> None:
    given = tmp_path / "given.whl"
    given.write_bytes(WHEEL)
    stored = store.keep(given, NUMPY_WHEEL, SHA256)
    stored.write_bytes(WHEEL[:50])
    assert store.find(NUMPY_WHEEL, SHA256) is None
    assert not stored.exists()


def test_the_wheel_comes_out_of_its_carrier_byte_for_byte(tmp_path: Path) -> None:
    assert numpy_wheel.extract(carrier(tmp_path, WHEEL)).read_bytes() == WHEEL


def test_a_carrier_without_the_wheel_is_refused(tmp_path: Path) -> None:
    broken = tmp_path / "broken.whl"
    broken.write_bytes(b"no zip")
    with pytest.raises(BuildError, match="--numpy-wheel"):
        numpy_wheel.extract(broken)


def test_the_pinned_numpy_is_the_one_that_pyodide_names() -> None:
    named = runtime_lock.pyodides_numpy_hash(ROOT / "node_modules/pyodide/pyodide-lock.json")
    assert runtime_lock.read().numpy == named


def test_no_lock_file_names_a_registry() -> None:
    for path in [*REQUIREMENTS.iterdir(), ROOT / "package-lock.json", ROOT / "runtime.lock.json"]:
        text = path.read_text()
        assert not re.search(r"https?://|--index|\"resolved\"", text), path.name


def test_every_python_package_is_pinned_with_hashes() -> None:
    for name in ("build.txt", "test.txt", "carrier.txt"):
        joined = (REQUIREMENTS / name).read_text().replace("\\\n", " ")
        packages = [line for line in joined.splitlines() if line and not line.startswith("#")]
        assert packages
        assert all("==" in line and "--hash=sha256:" in line for line in packages)


@pytest.mark.parametrize(
    ("output", "said"),
    [
        ("npm error code ENOTFOUND", "registry did not answer"),
        ("ERROR: THESE PACKAGES DO NOT MATCH THE HASHES FROM THE REQUIREMENTS FILE", "does not match its pinned hash"),
        ("npm error code EINTEGRITY\nnpm error sha512", "does not match its pinned hash"),
        ("reading\nSomeError: broken\n", "SomeError: broken"),
        ("", "failed"),
    ],
)
def test_a_tools_output_becomes_one_line(output: str, said: str) -> None:
    assert said in explain(output)
    assert "\n" not in explain(output)
