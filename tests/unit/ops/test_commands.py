"""The commands of the models, as a user runs them."""

import csv
import io
import json
import string
from importlib import import_module

import pytest

from planner import texts
from planner.cli import main
from planner.ops import inputs

NAMES = ["pool", "limits", "supervise", "shutdown", "recurring", "broker", "audit", "settings"]


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = main(arguments)
    caught = capsys.readouterr()
    return code, caught.out, caught.err


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("form", ["table", "json", "csv", "markdown"])
def test_every_command_answers_without_arguments(name: str, form: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, name, "--format", form)
    assert (code, err) == (0, "")
    assert "nan" not in out.lower().split()
    assert "None" not in out.replace("None  ", "").replace('"None"', "") or name == "settings"
    if form == "json":
        document = json.loads(out)
        assert {answer["role"] for answer in document["answers"]} >= {"plan", "question"}
    if form == "csv":
        rows = list(csv.reader(io.StringIO(out)))
        assert len({len(row) for row in rows}) == 1


@pytest.mark.parametrize("name", NAMES)
def test_every_command_takes_the_plans_report_job(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = run(capsys, name, "--scenario", "#v=1&k2=15", "--set", "k3=0.25")
    assert (code, err) == (0, "")


@pytest.mark.parametrize("name", NAMES)
def test_a_plan_without_reports_brings_no_job(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, name, "--set", "k3=0")
    assert (code, out) == (2, "")
    assert err.startswith("planner: report_share: ")


def test_an_option_wins_over_the_scenario(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(capsys, "pool", "--scenario", "#v=1", "--jobs", "5", "--workers", "5", "--format", "json")
    document = json.loads(out)
    assert (document["inputs"]["jobs"], document["inputs"]["job_ms"]) == (5, 3600)


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        (["pool", "--workers", "0"], "workers"),
        (["pool", "--scenario", "no-such.json"], "scenario"),
        (["pool", "--set", "k3=2"], "report_share"),
        (["limits", "--measured", "1:1"], "measured"),
        (["limits", "--measured-file", "no-such.csv"], "measured"),
        (["audit", "--claimed-ms", "0"], "claimed_ms"),
        (["broker", "--format", "xml"], "command"),
        (["shutdown", "--nobody", "1"], "command"),
        (["recurring", "--schedules", ""], "schedules"),
        (["scheduling", "--slots", "x"], "slots"),
    ],
)
def test_bad_input_is_one_line_and_exit_2(arguments: list[str], field: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, *arguments)
    assert (code, out) == (2, "")
    assert len(err.splitlines()) == 1
    assert err.startswith(f"planner: {field}: ")


@pytest.mark.parametrize("name", [*NAMES, "scheduling"])
def test_every_option_has_a_label_and_its_default_is_allowed(name: str) -> None:
    model = import_module(f"planner.ops.{name}")
    for option in inputs.options(model.Inputs):
        assert option.read(option.write(option.default)) == option.default
        for language in texts.LANGUAGES:
            assert texts.lookup(language, f"ops.inputs.{option.name}")
            if option.unit:
                assert texts.lookup(language, f"ops.units.{option.unit}")


def test_both_languages_have_the_same_texts_with_the_same_blanks() -> None:
    english, turkish = texts.catalogue("en"), texts.catalogue("tr")
    mine = [key for key in english if key.startswith("ops.")]
    assert mine == [key for key in turkish if key.startswith("ops.")]
    for key in mine:
        assert blanks(english[key]) == blanks(turkish[key])


def blanks(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


@pytest.mark.parametrize("name", NAMES)
def test_every_answer_can_be_told_in_turkish(name: str) -> None:
    from planner.ops.load import Load
    from planner.scenario import Scenario

    model = import_module(f"planner.ops.{name}")
    document = model.report(model.Inputs(), Load.of(Scenario())).document("tr")
    assert all(answer["text"] for answer in document["answers"])


def test_measurements_come_from_a_file(tmp_path: object, capsys: pytest.CaptureFixture[str]) -> None:
    from pathlib import Path

    file = Path(str(tmp_path)) / "measured.csv"
    file.write_text("workers,throughput\n1,95\n2,180\n4,320\n8,500\n16,560\n", encoding="utf-8")
    code, out, _ = run(capsys, "limits", "--measured-file", str(file), "--format", "json")
    assert code == 0
    assert [row["name"] for row in json.loads(out)["usl"]][:3] == ["lambda", "sigma", "kappa"]
