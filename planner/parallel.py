"""Many tasks, one function: in this process, in several, or on a Dask cluster; the results are the same.

A task is a value and its result depends on nothing else, so neither order nor place can change it, and one that was
lost with its process is simply done again. Imports errors and texts; Dask only when it is asked for.
"""

from __future__ import annotations

import importlib
import io
import tempfile
import zipfile
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Future, wait
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from planner.errors import PlannerError
from planner.numbers import quote
from planner.texts import Message

T = TypeVar("T")
R = TypeVar("R")
Told = Callable[[int, int], None]
MOST_JOBS = 256
_PACKAGE = Path(__file__).resolve().parent
_BATCHES_PER_JOB = 8
_ATTEMPTS = 5


@dataclass(frozen=True, slots=True)
class Place:
    """Where tasks are done: `jobs` processes, or the Dask scheduler at an address; 1 job is this process."""

    jobs: int = 1
    scheduler: str = ""


HERE = Place()


def run(function: Callable[[T], R], tasks: Sequence[T], place: Place = HERE, told: Told | None = None) -> list[R]:
    """The result of each task, in the order of `tasks`; `told` hears how many of them are done."""
    found: dict[int, R] = {}
    for index, result in results(function, tasks, place):
        found[index] = result
        if told:
            told(len(found), len(tasks))
    return [found[index] for index in range(len(tasks))]


def grouped(results: Sequence[R], size: int) -> list[Sequence[R]]:
    """`results` cut into runs of `size`, in order: those of the tasks that were made together."""
    return [results[first : first + size] for first in range(0, len(results), size)]


def results(function: Callable[[T], R], tasks: Sequence[T], place: Place = HERE) -> Iterator[tuple[int, R]]:
    """(index, result) of each task, once each, in whatever order they come."""
    if place.scheduler:
        yield from _on_cluster(function, tasks, place.scheduler)
    elif place.jobs > 1 and len(tasks) > 1:
        yield from _in_processes(function, tasks, place.jobs)
    else:
        for index, task in enumerate(tasks):
            yield index, function(task)


def _batch(function: Callable[[T], R], tasks: Sequence[T]) -> list[R]:
    return [function(task) for task in tasks]


def _in_processes(function: Callable[[T], R], tasks: Sequence[T], jobs: int) -> Iterator[tuple[int, R]]:
    size = max(1, len(tasks) // (jobs * _BATCHES_PER_JOB))
    open_batches = {start: tasks[start : start + size] for start in range(0, len(tasks), size)}
    for attempt in range(_ATTEMPTS):
        try:
            for start, batch in _until_broken(function, open_batches, jobs):
                del open_batches[start]
                yield from enumerate(batch, start)
            return
        except BrokenExecutor:
            if attempt == _ATTEMPTS - 1:
                raise PlannerError(
                    "--jobs", Message.of("size.errors.processes_die"), Message.of("size.errors.allowed_fewer_jobs")
                ) from None


def _until_broken(
    function: Callable[[T], R], batches: dict[int, Sequence[T]], jobs: int
) -> Iterator[tuple[int, list[R]]]:
    """The batches that a pool finishes; BrokenExecutor as soon as one of its processes has died."""
    import multiprocessing  # here, because a browser tab has none
    from concurrent.futures import ProcessPoolExecutor

    # A fresh interpreter a process: a fork would copy threads and locks of whoever calls.
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(min(jobs, len(batches)), mp_context=context) as pool:
        futures: dict[Future[list[R]], int] = {
            pool.submit(_batch, function, batch): start for start, batch in batches.items()
        }
        try:
            while futures:
                done, _ = wait(futures, return_when=FIRST_COMPLETED)
                for future in sorted(done, key=lambda one: futures[one]):
                    result = future.result()
                    yield futures.pop(future), result
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def _on_cluster(function: Callable[[T], R], tasks: Sequence[T], address: str) -> Iterator[tuple[int, R]]:
    """Dask does a task again whose worker has died, and only then; so each result comes once."""
    distributed = _dask()
    try:
        client = distributed.Client(address, timeout="5s", set_as_default=False)
    except (OSError, ValueError, TimeoutError) as error:
        problem = Message.of("size.errors.no_scheduler", address=quote(address), why=quote(str(error)))
        raise PlannerError("--scheduler", problem, Message.of("size.errors.allowed_scheduler")) from None
    with client, tempfile.TemporaryDirectory() as folder:
        package = Path(folder) / "yuva_planner.zip"
        package.write_bytes(_zipped())
        client.upload_file(str(package))
        futures = {
            client.submit(function, task, pure=False, retries=_ATTEMPTS): index for index, task in enumerate(tasks)
        }
        for future, result in distributed.as_completed(futures, loop=client.loop, with_results=True):
            yield futures[future], result


def _dask() -> Any:
    try:
        return importlib.import_module("distributed")
    except ImportError:
        raise PlannerError(
            "--scheduler", Message.of("size.errors.no_dask"), Message.of("size.errors.allowed_dask")
        ) from None


def _zipped() -> bytes:
    """The planner itself, so that workers run the very code that asks."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(_PACKAGE.rglob("*.py")):
            archive.write(path, path.relative_to(_PACKAGE.parent).as_posix())
    return data.getvalue()


def parse_jobs(text: str) -> int:
    """The number of processes that ``--jobs`` names; PlannerError if it names none."""
    if not text.isascii() or not text.isdigit() or not 1 <= int(text) <= MOST_JOBS:
        problem = Message.of("errors.out_of_range", value=quote(text))
        raise PlannerError("--jobs", problem, Message.of("errors.allowed_count", most=MOST_JOBS))
    return int(text)
