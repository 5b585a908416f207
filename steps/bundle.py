"""``planner.zip``: the planner, its templates and the packages that it imports, as the tab unpacks them onto its path.

They come from the build's own environment; MarkupSafe without its C part, which it does not need, and tzdata with its
zone files (which have no suffix), because a tab has no time zones of its own.
"""

from __future__ import annotations

import importlib.util
import os
import tempfile
import zipfile
from pathlib import Path

from steps import repacked
from steps.hashing import combined_key
from steps.paths import ROOT, cache_dir

_TEMPLATE_SUFFIXES = frozenset({".html", ".svg", ".json", ".txt", ".md", ".xml"})
_PACKAGES = {"jinja2": {".py"}, "markupsafe": {".py"}, "cronsim": {".py"}, "tzdata": {".py", ""}}
"""The packages and the suffixes of their files that the tab needs."""


def sources() -> dict[str, Path]:
    """Every file of the bundle: its name in the archive and where it is now, in the order of the names."""
    found = {**_tree(ROOT / "planner", {".py", ".json"}), **_tree(ROOT / "templates", _TEMPLATE_SUFFIXES)}
    for package, suffixes in _PACKAGES.items():
        spec = importlib.util.find_spec(package)
        assert spec is not None
        assert spec.origin is not None  # all are pinned in requirements/build.txt
        found |= _tree(Path(spec.origin).parent, suffixes)
    return dict(sorted(found.items()))


def obtain() -> Path:
    """Path of the compiled bundle; made anew only when one of its files, or the way of compiling, has changed."""
    contents = {name: path.read_bytes() for name, path in sources().items()}
    key = combined_key([repacked.recipe_key().encode(), *(part for item in contents.items() for part in _parts(*item))])
    stored = cache_dir() / "bundles" / f"{key[:32]}.zip"
    if not stored.is_file():
        stored.parent.mkdir(parents=True, exist_ok=True)
        # Made beside its place and renamed, so a bundle in the cache is always a whole one.
        with tempfile.TemporaryDirectory(dir=stored.parent, prefix=".unfinished-") as folder:
            plain, compiled = Path(folder) / "plain.zip", Path(folder) / "compiled.zip"
            with zipfile.ZipFile(plain, "w") as archive:
                for name, content in contents.items():
                    archive.writestr(name, content)
            repacked.compile_archives([(plain, compiled)])
            os.replace(compiled, stored)
    return stored


def _tree(folder: Path, suffixes: set[str] | frozenset[str]) -> dict[str, Path]:
    return {
        path.relative_to(folder.parent).as_posix(): path
        for path in folder.rglob("*")
        if path.is_file() and path.suffix in suffixes and "__pycache__" not in path.parts
    }


def _parts(name: str, content: bytes) -> tuple[bytes, bytes]:
    return name.encode(), content
