"""Which files of the standard library and of NumPy the browser needs, decided by name alone.

Left out is what cannot run in a tab (processes, servers, terminals, mail), what serves development only, and NumPy's
tests, headers and Fortran tools. In doubt a file stays: 20 KB of download cost less than a missing import.
"""

from __future__ import annotations

from pathlib import PurePosixPath

_STDLIB_UNUSED = frozenset(
    """
    __hello__ __phello__ _pyrepl antigravity bdb cProfile cmd compileall ctypes curses dbm doctest ensurepip filecmp
    fileinput ftplib getpass idlelib imaplib lib2to3 mailbox modulefinder multiprocessing netrc nturl2path pdb
    pickletools plistlib poplib profile pstats pty pyclbr pydoc pydoc_data rlcompleter sched shelve smtplib sqlite3
    socketserver symtable tabnanny this timeit tkinter tomllib trace tty turtle turtledemo unittest venv
    wave wsgiref xml xmlrpc zipapp
    """.split()
)
# Encodings that Python itself, zip archives, e-mail headers of package metadata and URLs ask for.
_ENCODINGS = frozenset(
    """
    __init__ aliases ascii base64_codec charmap cp1252 cp437 hex_codec idna iso8859_1 latin_1 punycode quopri_codec
    raw_unicode_escape undefined unicode_escape utf_16 utf_16_be utf_16_le utf_32 utf_8 utf_8_sig zlib_codec
    """.split()
)
_NUMPY_UNUSED_FOLDERS = frozenset({"tests", "f2py", "include", "_pyinstaller", "doc", "testing"})
_NUMPY_UNUSED_SUFFIXES = frozenset({".pyi", ".pxd", ".h", ".c", ".a", ".typed", ".build", ".txt", ".in", ".ini"})


def in_stdlib(name: str) -> bool:
    """Whether the standard library's member ``name`` goes into the tab."""
    path = PurePosixPath(name)
    top = path.parts[0].removesuffix(".py")
    if top == "encodings":
        return path.stem in _ENCODINGS
    return not name.endswith("/") and top not in _STDLIB_UNUSED and "tests" not in path.parts


def in_numpy(name: str) -> bool:
    """Whether the NumPy wheel's member ``name`` goes into the tab; licences and metadata stay."""
    path = PurePosixPath(name)
    if ".dist-info" in path.parts[0]:
        return path.name in {"METADATA", "WHEEL"} or "licenses" in path.parts
    return (
        not name.endswith("/")
        and not _NUMPY_UNUSED_FOLDERS & set(path.parts[:-1])
        and path.suffix not in _NUMPY_UNUSED_SUFFIXES
        and path.name != "conftest.py"
    )
