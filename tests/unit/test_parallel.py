"""Wherever the mornings are simulated, the answer is the same."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from planner import parallel, size, sized
from planner.errors import PlannerError
from planner.scenario import Scenario

ROOT = Path(__file__).resolve().parents[2]
QUESTION = size.Question(Scenario(window_minutes=3, report_share=0.05), sized.parse_all(["shared:N", "chunked:N:50"]))
SEEDS = 12


def kill_once(folder: str) -> int:
    """Kills its process the first time it is called with `folder`, which it marks."""
    mark = Path(folder) / "killed"
    if not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return 7


def test_the_order_in_which_results_come_changes_nothing() -> None:
    tasks = [size.Task(QUESTION, morning) for morning in range(SEEDS)]
    backwards = [size.ask(task) for task in reversed(tasks)][::-1]
    assert backwards == parallel.run(size.ask, tasks)


def test_more_mornings_do_not_change_the_first() -> None:
    assert size.run(QUESTION, 4) == [
        tuple({number: met[number] for number in known} for known, met in zip(few, many, strict=True))
        for few, many in zip(size.run(QUESTION, 4), size.run(QUESTION, SEEDS), strict=False)
    ]


def test_progress_is_told_of_every_task() -> None:
    told: list[tuple[int, int]] = []
    parallel.run(abs, [-1, -2, -3], told=lambda done, total: told.append((done, total)))
    assert told == [(1, 3), (2, 3), (3, 3)]


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
def test_a_killed_process_loses_nothing(tmp_path: Path) -> None:
    assert parallel.run(kill_once, [str(tmp_path)] * 5, parallel.Place(jobs=2)) == [7] * 5
    assert (tmp_path / "killed").exists()


def test_no_scheduler_is_one_line() -> None:
    with pytest.raises(PlannerError) as error:
        parallel.run(abs, [1], parallel.Place(scheduler="tcp://127.0.0.1:9"))
    assert error.value.field == "--scheduler"
    assert "\n" not in str(error.value)


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """A scheduler and two workers, each a process that knows nothing of the planner; all are killed in the end."""
    distributed = pytest.importorskip("distributed", reason="the Python package distributed is not installed")
    meeting = tmp_path / "scheduler.json"
    common = ["--scheduler-file", str(meeting), "--no-dashboard"]
    commands = [["dask_scheduler", *common, "--host", "127.0.0.1", "--port", "0"]]
    commands += [["dask_worker", *common, "--nthreads", "1", "--no-nanny"]] * 2
    processes = [
        subprocess.Popen(
            [sys.executable, "-m", f"distributed.cli.{name}", *arguments],
            cwd=tmp_path,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        for name, *arguments in commands
    ]
    try:
        for _ in range(300):
            if meeting.exists():
                break
            time.sleep(0.1)
        with distributed.Client(scheduler_file=str(meeting), set_as_default=False, timeout="60s") as client:
            client.wait_for_workers(2, timeout=60)
            address = client.scheduler.address
        yield address, processes[1:]
    finally:
        for process in processes:
            process.kill()
            process.wait()


def test_a_cluster_changes_nothing_and_a_killed_worker_loses_nothing(
    cluster: tuple[str, list[subprocess.Popen[bytes]]],
) -> None:
    address, workers = cluster
    place = parallel.Place(scheduler=address)
    expected = size.run(QUESTION, SEEDS)
    assert size.run(QUESTION, SEEDS, place) == expected

    def told(done: int, total: int) -> None:
        if done == SEEDS // 4:
            workers[0].kill()

    assert size.run(QUESTION, SEEDS, place, told) == expected
    assert workers[0].wait(timeout=10) != 0
    assert size.run(QUESTION, SEEDS, place) == expected
