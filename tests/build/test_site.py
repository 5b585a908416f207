"""What the build puts into the site, and that it is the same every time."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest

from steps import bundle, dist, headers, repacked, runtime_lock, selection, store
from steps.hashing import sha256_of

NEEDED = """
asyncio bisect collections csv dataclasses datetime decimal email enum fractions functools hashlib heapq html importlib
inspect io itertools json logging math operator pathlib random re shutil statistics string struct textwrap traceback
typing urllib warnings zipfile zoneinfo
""".split()
BUILT_IN = {"itertools", "math"}


def tree(folder: Path) -> dict[str, str]:
    """Each file's hash by name."""
    return {path.relative_to(folder).as_posix(): sha256_of(path) for path in folder.rglob("*") if path.is_file()}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("built") / "dist"
    dist.build(out, "/", None)
    return out


def test_two_builds_are_byte_identical(built: Path, tmp_path: Path) -> None:
    dist.build(tmp_path / "dist", "/", None)
    assert tree(built) == tree(tmp_path / "dist")


def test_the_bundle_compiles_to_the_same_bytes_on_an_empty_cache(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = sha256_of(bundle.obtain())
    monkeypatch.setenv("YUVA_CACHE", str(tmp_path))
    assert sha256_of(bundle.obtain()) == first


def test_repacking_gives_the_pinned_bytes(tmp_path: Path) -> None:
    lock = runtime_lock.read()
    wheel = store.find(runtime_lock.NUMPY_WHEEL, lock.numpy)
    if wheel is None:
        pytest.skip("the NumPy wheel as published is not in the cache")
    made = repacked.repack(tmp_path, wheel)
    assert {name: sha256_of(path) for name, path in made.items()} == lock.repacked
    assert lock.recipe == repacked.recipe_key()


def test_the_manifest_describes_every_runtime_file(built: Path) -> None:
    manifest = json.loads((built / "runtime/manifest.json").read_text())
    for entry in manifest["files"].values():
        path = built / "runtime" / entry["url"].partition("?")[0]
        assert sha256_of(path) == entry["sha256"]
        assert path.stat().st_size == entry["bytes"]
        assert entry["sha256"].startswith(entry["url"].partition("?h=")[2])
    numpy = manifest["lock"]["packages"]["numpy"]
    assert manifest["files"][numpy["file_name"]]["sha256"] == numpy["sha256"]


def test_the_bundle_holds_bytecode_and_templates_only(built: Path) -> None:
    names = zipfile.ZipFile(built / "runtime/planner.zip").namelist()
    assert not [name for name in names if name.endswith((".py", ".so"))]
    assert {"planner/__init__.pyc", "jinja2/environment.pyc", "markupsafe/_native.pyc"} <= set(names)


def test_the_standard_library_keeps_what_a_planner_imports(built: Path) -> None:
    names = set(zipfile.ZipFile(built / "runtime/python_stdlib.zip").namelist())
    missing = [name for name in NEEDED if not {f"{name}.pyc", f"{name}/__init__.pyc"} & names]
    assert set(missing) <= BUILT_IN


def test_numpy_loses_its_tests_and_headers_and_keeps_its_licences(built: Path) -> None:
    names = zipfile.ZipFile(built / "runtime" / runtime_lock.NUMPY_WHEEL).namelist()
    assert not [name for name in names if "/tests/" in name or name.endswith((".pyi", ".h", ".py"))]
    assert [name for name in names if "licenses/" in name]
    assert [name for name in names if "_multiarray_umath" in name and name.endswith(".so")]


@pytest.mark.parametrize(("name", "kept"), [("json/", False), ("json/decoder.py", True), ("encodings/big5.py", False)])
def test_members_are_chosen_by_name(name: str, kept: bool) -> None:
    assert selection.in_stdlib(name) is kept


def test_scripts_inside_a_page_are_allowed_by_their_hash(tmp_path: Path) -> None:
    page = '<script>one()</script><script src="a.js"></script><script type="application/json">{"a": 1}</script>'
    (tmp_path / "index.html").write_text(page)
    assert headers.inline_scripts(page) == ["one()"]
    headers.write(tmp_path)
    policy = dict(headers.read(tmp_path))["Content-Security-Policy"]
    assert policy.count("'sha256-") == 1
    assert "unsafe-eval'" not in policy.replace("'wasm-unsafe-eval'", "")
    assert "unsafe-inline" not in policy
