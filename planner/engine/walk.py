from __future__ import annotations
from typing import Any
def walk(rules: Any, load: Any) -> Any:
    raise NotImplementedError
