"""What a page of the site may do: the site's own files, no inline script or style, no string as code.

One table for the page's own policy and for the headers of a host. Imports nothing.
"""

SOURCES: dict[str, tuple[str, ...]] = {
    "default-src": ("'none'",),
    "script-src": ("'self'", "'wasm-unsafe-eval'"),
    "worker-src": ("'self'",),
    "connect-src": ("'self'",),
    "style-src": ("'self'",),
    "img-src": ("'self'", "data:", "blob:"),
    "font-src": ("'self'",),
    "manifest-src": ("'self'",),
    "object-src": ("'none'",),
    "base-uri": ("'none'",),
    "form-action": ("'self'",),
}
"""Where each kind of content may come from, by directive."""

TRUSTED_TYPES = {"require-trusted-types-for": ("'script'",), "trusted-types": ("yuva-worker", "yuva-fragments")}
"""The page's own addition: HTML and worker addresses come from these two policies of its scripts alone."""


def written(directives: dict[str, tuple[str, ...]]) -> str:
    """`directives` as the value of a ``Content-Security-Policy``."""
    return "; ".join(" ".join([name, *values]) for name, values in directives.items())
