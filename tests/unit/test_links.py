"""Share links."""

from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from planner import fields, links
from planner.designs import RULES, Design
from planner.scenario import Scenario


@st.composite
def scenarios(draw: st.DrawFn) -> Scenario:
    values: dict[str, object] = {}
    for field in fields.FIELDS:
        low, high = field.low, min(field.high, 1e6)
        number: st.SearchStrategy[object] = st.integers(int(low), int(high))
        if field.kind == "number":
            number = st.floats(low, high, exclude_min=field.low_open)
        elif field.kind == "profile":
            number = st.sampled_from(["flat", "0-10:3,10-30:0.5", "1.5-2:0"])
        elif field.kind == "sizes":
            number = st.sampled_from(["fixed", "mix:0.9:10,0.1:1000", "lognormal:1.5"])
        if draw(st.booleans()):
            values[field.name] = draw(number)
    slots = st.integers(1, 300)
    kinds = st.one_of(
        slots.map(lambda y: Design("shared", (y,))),
        st.tuples(slots, slots).map(lambda a: Design("separate", a)),
        st.tuples(slots, st.sampled_from(RULES)).map(lambda a: Design("push", a)),
        st.tuples(slots, st.floats(0.001, 1e6)).map(lambda a: Design("gpm", a)),
    )
    chosen = draw(st.lists(kinds, min_size=1, max_size=5, unique=True))
    return Scenario().with_values({**values, "designs": [str(design) for design in chosen]})


@given(scenarios())
def test_a_link_opens_as_the_scenario_that_wrote_it(scenario: Scenario) -> None:
    reading = links.read("https://example.org/yuva/#" + links.write(scenario))
    assert reading.left_out == ()
    assert reading.scenario == scenario


@given(scenarios())
def test_a_link_survives_escaping_on_its_way(scenario: Scenario) -> None:
    assert links.read("#" + quote(links.write(scenario), safe="&=")).scenario == scenario


@given(st.text(max_size=300))
def test_no_text_breaks_reading(text: str) -> None:
    reading = links.read(text)
    assert links.read(links.write(reading.scenario)).scenario == reading.scenario


def test_the_default_plan_is_the_version_alone() -> None:
    assert links.write(Scenario()) == "v=1"


def test_fields_come_in_order_under_their_link_names() -> None:
    changed = Scenario().with_values({"seed": 1, "k3": 0.25, "sellers": 10, "designs": ["shared:2", "separate:2:2"]})
    assert links.write(changed) == "v=1&sellers=10&k3=0.25&seed=1&designs=shared:2,separate:2:2"


@pytest.mark.parametrize(
    ("fragment", "field", "kept"),
    [
        ("v=1&k3=2&sellers=7", "report_share", 7),
        ("v=1&nobody=2&sellers=7", "nobody", 7),
        ("v=1&sellers=7&sellers=8", "sellers", 7),
        ("v=9&sellers=7", "v", 7),
        ("v=1&sellers=7&designs=foo", "designs", 7),
        ("v=1&sellers=7&k2", "k2", 7),
    ],
)
def test_what_can_be_used_is_used_and_the_rest_is_named(fragment: str, field: str, kept: int) -> None:
    reading = links.read("#" + fragment)
    assert reading.scenario.sellers == kept
    assert [error.field for error in reading.left_out] == [field]


def test_an_endless_link_is_left_out_whole() -> None:
    reading = links.read("#v=1&designs=" + "shared:2," * 100_000)
    assert reading.scenario == Scenario()
    assert [error.field for error in reading.left_out] == ["link"]
