"""Runs inside Pyodide, under Node: turns an archive of sources into one of bytecode.

Bytecode must come from the interpreter that will run it, and the tab's is CPython 3.14 for WebAssembly. Its own zlib
and a fixed hash seed make the result the same bytes on every machine. The ``.pyc`` are of the unchecked-hash kind: the
tab never looks for a source. Optimisation stays 0, so asserts and docstrings are those of the source.
"""

from __future__ import annotations

import importlib.util
import marshal
import zipfile

_EPOCH = (1980, 1, 1, 0, 0, 0)  # the earliest date a zip can hold
_UNCHECKED_HASH = (0b01).to_bytes(4, "little")


def repack(source: str, target: str) -> None:
    """Write the zip ``target``: the zip ``source``, names sorted, with each ``.py`` member replaced by its ``.pyc``."""
    with zipfile.ZipFile(source) as archive, zipfile.ZipFile(target, "w") as out:
        for name in sorted(archive.namelist()):
            content = archive.read(name)
            if name.endswith(".py"):
                name, content = name + "c", bytecode(name, content)
            entry = zipfile.ZipInfo(name, _EPOCH)
            entry.create_system = 3
            entry.external_attr = 0o644 << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            out.writestr(entry, content, compresslevel=9)


def bytecode(name: str, source: bytes) -> bytes:
    """The ``.pyc`` file of one module."""
    code = compile(source, name, "exec", dont_inherit=True, optimize=0)
    return importlib.util.MAGIC_NUMBER + _UNCHECKED_HASH + importlib.util.source_hash(source) + marshal.dumps(code)
