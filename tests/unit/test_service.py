"""The worker's messages: parts as they become known, every error at once, a way to stop, a forgiving link."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable
from typing import Any

import pytest

from planner import forms, links, plan, service
from planner.scenario import Scenario

Reply = dict[str, Any]


def ask(payload: object, kind: str = "plan", on_reply: Callable[[Reply], None] = lambda reply: None) -> list[Reply]:
    replies: list[Reply] = []

    def post(text: str) -> None:
        replies.append(json.loads(text))
        on_reply(replies[-1])

    asyncio.run(service.handle(json.dumps({"v": 1, "id": 7, "type": kind, "payload": payload}), post))
    assert {reply["id"] for reply in replies} == {7}
    return replies


def form_of(scenario: Scenario, language: str = "en") -> dict[str, object]:
    texts = forms.values(scenario, language)
    return {"language": language, "designs": texts.pop("designs"), "inputs": texts}


def parts(replies: list[Reply], name: str) -> list[Any]:
    return [reply["payload"][name] for reply in replies if reply["type"] == "partial" and reply["payload"].get(name)]


def cells(html: str) -> dict[str, str]:
    return dict(re.findall(r'data-metric="(\w+)" data-value="([^"]*)"', html))


def test_a_plan_arrives_part_by_part_and_ends_with_a_result() -> None:
    scenario = Scenario().with_values({"report_share": 0.25, "designs": ["shared:2", "separate:1:1"]})
    replies = ask(form_of(scenario))
    assert {reply["type"] for reply in replies[:-1]} == {"partial"}
    assert replies[-1]["type"] == "result"
    patched = {name for patch in parts(replies, "patch") for name in patch}
    assert {"derived", "warnings", "sizing", "story", "take"} <= patched
    assert parts(replies, "link") == [links.write(scenario)]
    rows = parts(replies, "row")
    assert [row["design"] for row in rows] == ["shared:2", "separate:1:1"]
    for row, expected in zip(rows, plan.run(scenario)["designs"], strict=True):
        shown = cells(row["html"])
        for name, value in expected.items():
            if name in shown:
                assert float(shown[name]) == value, name
        assert len(shown) == 11


def test_a_form_and_its_link_give_the_same_fragments() -> None:
    scenario = Scenario().with_values({"replicas": 3, "designs": ["shared:3"]})
    by_form, by_link = ask(form_of(scenario)), ask({"language": "en", "link": links.write(scenario)})
    assert parts(by_form, "row") == parts(by_link, "row")
    assert by_form[-1] == by_link[-1]
    assert parts(by_link, "values") == [forms.values(scenario, "en")]
    assert parts(by_form, "values") == []


def test_every_wrong_field_gets_its_sentence() -> None:
    form = {**form_of(Scenario()), "inputs": {"sellers": "abc", "report_share": "1,5"}, "designs": "pool:2"}
    (reply,) = ask(form)
    assert reply["type"] == "error"
    assert [error["field"] for error in reply["payload"]["errors"]] == ["sellers", "report_share", "designs"]
    for error in reply["payload"]["errors"]:
        assert f"#field-{error['field']}" in reply["payload"]["problems"]


def test_inputs_that_do_not_fit_together_are_an_error_of_one_field() -> None:
    (reply,) = ask({"language": "tr", "inputs": {"resolution": "1", "peak_reads_per_s": "1e6"}, "designs": "shared:2"})
    assert [error["field"] for error in reply["payload"]["errors"]] == ["resolution"]
    assert "tur" in reply["payload"]["message"]


def test_what_is_too_much_for_a_tab_is_said_before_it_runs() -> None:
    (reply,) = ask({"inputs": {"window_minutes": "1e7"}, "designs": "shared:2"})
    assert reply["payload"]["errors"][0]["field"] == "scenario"
    assert "python3 -m planner" in reply["payload"]["message"]


def test_the_usable_part_of_a_link_is_used_and_the_rest_is_named() -> None:
    replies = ask({"language": "en", "link": "v=1&k3=0.25&sellers=none&colour=<b>red</b>&designs=shared:2"})
    assert parts(replies, "link") == ["v=1&k3=0.25&designs=shared:2"]
    notices = parts(replies, "patch")[0]["notices"]
    assert "sellers" in notices
    assert "colour" in notices
    assert "<b>" not in notices


def test_readings_are_told_only_where_the_text_is_not_the_value() -> None:
    form = form_of(Scenario().with_values({"designs": ["shared:8"]}))
    replies = ask({**form, "inputs": {"report_share": "50 %", "sellers": "4000", "shipments_per_day": "400k"}})
    assert parts(replies, "readings") == [{"report_share": "read as 0.5", "shipments_per_day": "read as 400000"}]


def test_turkish_fragments_have_turkish_numbers() -> None:
    replies = ask(form_of(Scenario().with_values({"designs": ["shared:2"]}), "tr"))
    html = parts(replies, "row")[0]["html"]
    assert ">5.887,20<" in html
    assert 'data-value="5887.2"' in html
    assert "28 yuva" in replies[-1]["payload"]["announcement"]


def stop_at_first_row(reply: Reply) -> None:
    if "row" in (reply["payload"] or {}):
        service.cancel(7)


def test_a_cancelled_request_stops_at_its_next_pause() -> None:
    replies = ask(form_of(Scenario()), on_reply=stop_at_first_row)
    assert replies[-1]["type"] == "cancelled"
    assert len(parts(replies, "row")) == 1


def test_a_cancellation_does_not_outlive_its_request() -> None:
    form = form_of(Scenario().with_values({"designs": ["shared:8"]}))
    service.cancel(7)
    assert ask(form)[-1]["type"] == "cancelled"
    assert ask(form)[-1]["type"] == "result"


@pytest.mark.parametrize("kind", ["dance", ""])
def test_an_unknown_request_is_answered(kind: str) -> None:
    (reply,) = ask(None, kind)
    assert reply["type"] == "error"


def test_nothing_a_person_types_becomes_markup() -> None:
    attack = '"><img src=x onerror=alert(1)>'
    (reply,) = ask({"language": "en", "inputs": {"sellers": attack, "report_sizes": attack}, "designs": attack})
    assert "<img" not in reply["payload"]["problems"]
