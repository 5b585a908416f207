"""Results as plain text: an aligned table, CSV or Markdown. Imports nothing of the planner but formats and texts."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from typing import Any

from planner.texts import lookup

FORMATS = ("table", "json", "csv", "markdown")
_FORMULA = ("=", "+", "-", "@", "\t", "\r")

COLUMNS: dict[str, str] = {
    "design": "",
    "tracking_requests": "d",
    "wait_p50_ms": ".2f",
    "wait_p99_ms": ".2f",
    "wait_max_ms": ".0f",
    "delayed": "d",
    "delayed_share": ".4f",
    "reports": "",
    "report_mean_s": ".2f",
}
"""Columns of the plan's table and how each is rounded."""


def plan_text(document: dict[str, Any], form: str) -> str:
    """The plan as ``table``, ``markdown`` (both rounded as the golden table) or ``csv`` (unrounded)."""
    if form == "csv":
        return rows_text(_csv_rows(document["designs"]), form)
    heads = [lookup("en", f"columns.{name}") for name in COLUMNS]
    table = rows_text([heads, *(_row(row) for row in document["designs"])], form)
    return "\n".join([table, "", *_sizing_lines(document)])


def rows_text(rows: Sequence[Sequence[str]], form: str) -> str:
    """`rows`, the first being the heads, as ``table``, ``markdown`` or ``csv``."""
    if form == "csv":
        out = io.StringIO()
        csv.writer(out, lineterminator="\n").writerows([[_harmless(cell) for cell in row] for row in rows])
        return out.getvalue()
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    right = [all(row[column][:1] in "-–0123456789" for row in rows[1:]) for column in range(len(rows[0]))]
    if form == "table":
        return "\n".join(_line(row, widths, right) for row in rows)
    rule = ["---:" if numeric else "---" for numeric in right]
    return "\n".join("| " + " | ".join(row) + " |" for row in [rows[0], rule, *rows[1:]])


def _line(row: Sequence[str], widths: Sequence[int], right: Sequence[bool]) -> str:
    cells = zip(row, widths, right, strict=True)
    return "  ".join(cell.rjust(width) if numeric else cell.ljust(width) for cell, width, numeric in cells).rstrip()


def _harmless(cell: str) -> str:
    """`cell`, so that a spreadsheet takes it for text and never for a formula; numbers stay numbers."""
    try:
        float(cell)
    except ValueError:
        return f"'{cell}" if cell.startswith(_FORMULA) else cell
    return cell


def _row(row: dict[str, Any]) -> list[str]:
    cells = []
    for name, form in COLUMNS.items():
        if name == "reports":
            cells.append(f"{row['reports_started']}/{row['reports_arrived']}")
        else:
            cells.append("–" if row[name] is None else format(row[name], form))
    return cells


def _csv_rows(rows: list[dict[str, Any]]) -> list[list[str]]:
    flat = [_flat(row) for row in rows]
    heads = list(flat[0])
    return [heads, *([str("" if row[head] is None else row[head]) for head in heads] for row in flat)]


def _flat(row: dict[str, Any]) -> dict[str, Any]:
    cells: dict[str, Any] = {}
    for name, value in row.items():
        if isinstance(value, dict):
            cells.update({f"{name}_{part}": number for part, number in value.items()})
        elif isinstance(value, list):
            cells[name] = " ".join(value)
        else:
            cells[name] = value
    return cells


def _sizing_lines(document: dict[str, Any]) -> list[str]:
    sizing, scenario = document["sizing"], document["scenario"]
    lines = []
    for kind in ("shared", "separate"):
        found = sizing[kind]
        key = "none" if found["slots"] is None else kind
        lines.append(
            lookup("en", f"sizing.{key}").format(
                kind=lookup("en", f"sizing.name_{kind}"),
                slots=found["slots"],
                total=found["slots_total"],
                replicas=scenario["replicas"],
                most=scenario["search_max_slots"],
            )
        )
    separate, derived = sizing["separate"], document["derived"]
    lines.append(
        lookup("en", "sizing.workers").format(
            seconds=f"{derived['worker_seconds']:.0f}",
            window=f"{scenario['window_minutes'] * 60:.0f}",
            full=f"{separate['workers_at_full_utilisation']:.2f}",
            target=separate["workers_at_target_utilisation"],
            utilisation=f"{scenario['target_utilisation']:.2f}",
        )
    )
    return lines
