"""The command line, run as a user runs it."""

import csv
import io
import json
import subprocess
import sys
from pathlib import Path

import pytest

from planner import plan
from planner.scenario import Scenario

ROOT = Path(__file__).resolve().parents[2]


def run(*arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "planner", *arguments]
    return subprocess.run(command, input=stdin, capture_output=True, text=True, cwd=ROOT, check=False)


def test_plan_prints_the_whole_document_and_nothing_else() -> None:
    done = run("plan", "--format", "json")
    assert done.returncode == 0
    assert json.loads(done.stdout) == json.loads(json.dumps(plan.run(Scenario())))


def test_set_and_design_change_the_scenario() -> None:
    done = run("plan", "--set", "k3=0.25", "--set", "seed=7", "--design", "shared:3", "--format", "json")
    document = json.loads(done.stdout)
    assert document["scenario"]["report_share"] == 0.25
    assert [row["design"] for row in document["designs"]] == ["shared:3"]


def test_a_link_and_its_scenario_answer_alike(tmp_path: Path) -> None:
    link = run("link", "--set", "k2=5", "--design", "shared:2").stdout.strip()
    assert link == "#v=1&k2=5&designs=shared:2"
    file = tmp_path / "scenario.json"
    file.write_text(json.dumps({"window_minutes": 5, "designs": ["shared:2"]}), encoding="utf-8")
    by_link, by_file = run("plan", link, "--format", "json"), run("plan", str(file), "--format", "json")
    by_stdin = run("plan", "-", "--format", "json", stdin=file.read_text(encoding="utf-8"))
    assert by_link.stdout == by_file.stdout == by_stdin.stdout


@pytest.mark.parametrize("form", ["table", "csv", "markdown"])
def test_each_format_has_a_line_a_design(form: str) -> None:
    lines = run("plan", "--set", "k2=1", "--format", form).stdout.splitlines()
    assert sum(line.lstrip("| ").startswith(("shared:", "separate:")) for line in lines[:10]) >= 7


def test_csv_numbers_are_unrounded() -> None:
    rows = list(csv.DictReader(io.StringIO(run("plan", "--set", "k2=2", "--format", "csv").stdout)))
    expected = plan.run(Scenario(window_minutes=2))["designs"]
    assert [float(row["wait_p99_ms"]) for row in rows] == [row["wait_p99_ms"] for row in expected]


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        (["plan", "--set", "k3=2"], "report_share"),
        (["plan", "--set", "k3"], "--set"),
        (["plan", "--set", "nobody=1"], "nobody"),
        (["plan", "--set", "k3=.1", "--set", "report_share=.2"], "report_share"),
        (["plan", "--design", "shared:0"], "designs"),
        (["plan", "--design", "shared:2@peak_reads_per_s=99999;resolution=1"], "designs"),
        (["plan", "no-such-file.json"], "scenario"),
        (["plan", "."], "scenario"),
        (["plan", "#v=1&k3=x"], "report_share"),
        (["plan", "--format", "xml"], "command"),
        (["guess"], "command"),
        ([], "command"),
    ],
)
def test_bad_input_is_one_line_and_exit_2(arguments: list[str], field: str) -> None:
    done = run(*arguments)
    assert done.returncode == 2
    assert done.stdout == ""
    assert len(done.stderr.splitlines()) == 1
    assert done.stderr.startswith(f"planner: {field}: ")
    assert "allowed: " in done.stderr


def test_queries_left_waiting_at_the_window_s_end_are_told() -> None:
    done = run("plan", "#v=1&sellers=7&designs=shared:2,separate:2:1")
    assert done.returncode == 0
    assert "At shared:2 21252 queries were still waiting" in done.stderr
    assert "At separate:2:1" not in done.stderr
