"""Whatever moment a build dies at, a whole site stays, or comes back at the next start."""

from __future__ import annotations

import contextlib
import shutil
from pathlib import Path

import pytest

from steps import swap
from steps.failure import BuildError


class Killed(BaseException):
    """Stands for the death of the process."""


def site(folder: Path, content: str) -> Path:
    (folder / "runtime").mkdir(parents=True)
    (folder / "runtime/manifest.json").write_text(content)
    return folder


def content(folder: Path) -> str:
    return (folder / "runtime/manifest.json").read_text()


@pytest.mark.parametrize("can_exchange", [True, False])
def test_the_new_site_takes_the_place_of_the_old_and_nothing_is_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, can_exchange: bool
) -> None:
    if not can_exchange:
        monkeypatch.setattr(swap, "exchange", lambda one, other: False)
    out = site(tmp_path / "dist", "old")
    new = site(swap.staging(out), "new")
    swap.into_place(new, out)
    assert content(out) == "new"
    assert list(tmp_path.iterdir()) == [out]


def test_a_first_build_needs_no_older_site(tmp_path: Path) -> None:
    out = tmp_path / "dist"
    swap.into_place(site(swap.staging(out), "new"), out)
    assert content(out) == "new"


@pytest.mark.parametrize("can_exchange", [True, False])
@pytest.mark.parametrize("moment", range(4))
def test_a_kill_at_any_moment_leaves_a_whole_site(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, can_exchange: bool, moment: int
) -> None:
    out = site(tmp_path / "dist", "old")
    new = site(swap.staging(out), "new")
    steps_left = moment

    def dies(function):  # type: ignore[no-untyped-def]
        def step(*arguments: object) -> object:
            nonlocal steps_left
            if steps_left == 0:
                raise Killed
            steps_left -= 1
            return function(*arguments)

        return step

    exchange = swap.exchange if can_exchange else lambda one, other: False
    with monkeypatch.context() as patch:
        patch.setattr(swap, "exchange", dies(exchange))
        patch.setattr(Path, "rename", dies(Path.rename))
        patch.setattr(shutil, "rmtree", dies(shutil.rmtree))
        with contextlib.suppress(Killed):
            swap.into_place(new, out)

    swap.recover(out)
    assert content(out) in {"old", "new"}
    assert list(tmp_path.iterdir()) == [out]


def test_a_folder_that_is_not_a_built_site_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "letters").mkdir()
    (tmp_path / "letters/one.txt").write_text("kept")
    with pytest.raises(BuildError, match="not a built site"):
        swap.recover(tmp_path / "letters")
    assert (tmp_path / "letters/one.txt").read_text() == "kept"
