"""The worker's side of the page: JSON requests in, JSON replies out, and a way to stop one that is under way.

An envelope is ``{"v": 1, "id": ..., "type": ..., "payload": ...}``; a reply's type is partial, result, error or
cancelled. Between two steps of a request control goes back to the event loop, so a cancellation can come in.
Imports cost, errors, explain, forms, links, model, plan, render, report and scenario.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping
from typing import Any

from planner import cost, explain, forms, links, plan, report
from planner.errors import PlannerError
from planner.model import Simulator
from planner.render import View
from planner.scenario import Scenario
from planner.texts import LANGUAGES, Message

VERSION = 1
_SLICES = 30
"""Parts of a window between which a long walk can be stopped."""
Post = Callable[[str], None]

_simulator = Simulator()
_cancelled: set[int] = set()


class Cancelled(Exception):
    """The request is no longer wanted."""


class Request:
    """One request and the way back to who asked."""

    def __init__(self, request_id: int, payload: Mapping[str, Any], post: Post) -> None:
        self.id = request_id
        self.payload = payload
        self._post = post

    def reply(self, kind: str, payload: object = None) -> None:
        """Send one reply."""
        envelope = {"v": VERSION, "id": self.id, "type": kind, "payload": payload}
        self._post(json.dumps(envelope, ensure_ascii=False, allow_nan=False))

    async def pause(self) -> None:
        """Let the event loop run; Cancelled if the request has been cancelled meanwhile."""
        await asyncio.sleep(0)
        if self.id in _cancelled:
            raise Cancelled


def cancel(request_id: int) -> None:
    """Stop the request `request_id` at its next pause."""
    _cancelled.add(request_id)


async def handle(message: str, post: Post) -> None:
    """Answer the request in the envelope `message`; every reply goes through `post`."""
    envelope = json.loads(message)
    request = Request(envelope["id"], envelope.get("payload") or {}, post)
    try:
        if envelope.get("v") != VERSION or envelope["type"] not in _HANDLERS:
            request.reply("error", {"message": f"no request of type {envelope.get('type')!r} in version {VERSION}"})
        else:
            await _HANDLERS[envelope["type"]](request)
    except Cancelled:
        request.reply("cancelled")
    finally:
        _cancelled.discard(request.id)


async def _plan(request: Request) -> None:
    """The plan of a form or a link: first what was understood, then each part of the page as it becomes known."""
    language = _language(request.payload)
    scenario, left_out, errors = _read(request.payload, language)
    view = View(scenario, language)
    try:
        if not errors:
            parts = _checked(scenario)
            first = next(parts)
    except PlannerError as error:
        errors = (error,)
    if errors:
        request.reply("error", {**_complaints(view, errors), "patch": {"notices": view.notices(left_out)}})
        return
    request.reply("partial", _understood(request.payload, view, left_out))
    await request.pause()
    rows: list[Mapping[str, Any]] = []
    for kind, part in _chained(first, parts):
        if kind == "row":
            rows.append(part)
        request.reply("partial", _patch(view, kind, part, rows))
        await request.pause()
    headline = report.verdict(scenario, part).headline
    request.reply("result", {"announcement": headline.text(language), "values": forms.values(scenario, language)})


async def _why(request: Request) -> None:
    """Who held the slots at one design of a link's scenario; its first design if none is named."""
    language = _language(request.payload)
    scenario = links.read(str(request.payload.get("link", ""))).scenario
    named = {str(design): design for design in scenario.designs}
    design = named.get(str(request.payload.get("design", "")), scenario.designs[0])
    try:
        cost.check_for_tab(scenario)
        steps = explain.keep_diary_in_slices(design, scenario, _SLICES)
        diary = None
        while diary is None:
            try:
                next(steps)
                await request.pause()
            except StopIteration as end:
                diary = end.value
    except PlannerError as error:
        request.reply("error", {"message": error.sentence(language)})
        return
    row = plan.row(design, scenario, _simulator)
    await request.pause()
    request.reply("result", {"patch": {"why": View(scenario, language).why(diary, row)}})


def _checked(scenario: Scenario) -> Any:
    """The steps of a plan that a tab can take on; PlannerError, at the first step, if it cannot."""
    cost.check_for_tab(scenario)
    yield from plan.steps(scenario, _simulator)


def _chained(first: plan.Part, rest: Any) -> Any:
    yield first
    yield from rest


def _language(payload: Mapping[str, Any]) -> str:
    language = payload.get("language")
    return language if language in LANGUAGES else LANGUAGES[0]


def _read(
    payload: Mapping[str, Any], language: str
) -> tuple[Scenario, tuple[PlannerError, ...], tuple[PlannerError, ...]]:
    """The scenario asked for, what of a link was left out, and what is wrong with the form."""
    if "link" in payload:
        link = links.read(str(payload["link"]))
        return link.scenario, link.left_out, ()
    inputs = {str(name): str(text) for name, text in dict(payload.get("inputs") or {}).items()}
    given = payload.get("designs", "")
    form = forms.read(inputs, given if isinstance(given, str) else "\n".join(map(str, given)), language)
    return form.scenario, (), form.errors


def _understood(payload: Mapping[str, Any], view: View, left_out: tuple[PlannerError, ...]) -> dict[str, Any]:
    """What the page shows before anything is computed: the link, the fields as they were read, the list of rows."""
    texts = forms.values(view.scenario, view.language)
    typed = dict(payload.get("inputs") or {})
    readings = {
        name: Message.of("form.read_as", value=texts[name]).text(view.language)
        for name, text in typed.items()
        if name in texts and str(text).strip() != texts[name]
    }
    designs = [str(design) for design in view.scenario.designs]
    return {
        "link": links.write(view.scenario),
        "values": texts if "link" in payload else None,
        "readings": readings,
        "changed": report.changed(view.scenario),
        "rows": [{"design": design, "html": view.pending_row(design)} for design in designs],
        "patch": {
            "take": view.take(),
            "notices": view.notices(left_out),
            "problems": "",
            "threshold": view.fragment("threshold"),
        },
    }


def _patch(view: View, kind: str, part: Any, rows: list[Mapping[str, Any]]) -> dict[str, Any]:
    """The fragments that one part of the plan changes."""
    match kind:
        case "derived":
            return {"patch": {"derived": view.chain()}}
        case "warnings":
            return {"patch": {"warnings": view.warnings(part)}}
        case "row":
            return {"row": {"design": part["design"], "html": view.row(part)}}
    return {"patch": {"sizing": view.sizing(part), "story": view.story(rows)}}


def _complaints(view: View, errors: tuple[PlannerError, ...]) -> dict[str, Any]:
    """Each error's sentence by field, and the summary of them all."""
    sentences = [{"field": error.field, "message": error.sentence(view.language)} for error in errors]
    return {"message": sentences[0]["message"], "errors": sentences, "problems": view.problems(errors)}


_HANDLERS = {"plan": _plan, "why": _why}
