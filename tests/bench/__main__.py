"""``python3 -m tests.bench``: the planner beside its peers, as ratios. Needs Node, and a Chromium for the tab."""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from steps import python_env
from steps.paths import ROOT, VENV

HERE = Path(__file__).parent
GOLDEN = HERE.parent / "model" / "golden.json"
PARTS = ("plan", "designs", "scale")
AIM_TICKS, AIM_SIMPY, AIM_TAB = 10, 150, 4


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python3 -m tests.bench", description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"of {', '.join(PARTS)} (default: all)")
    parser.add_argument("--rounds", type=int, default=5, help="runs of each peer; the median counts (default: 5)")
    parser.add_argument("--quick", action="store_true", help="SimPy and Ciw run shared:2 alone, and no load over x100")
    parser.add_argument("--no-tab", action="store_true", help="leave out Chromium")
    options = parser.parse_args()
    unknown = set(options.parts) - set(PARTS)
    if unknown:
        parser.error(f"no such part: {', '.join(sorted(unknown))}")
    parts = options.parts or PARTS
    machine = f"{platform.machine()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.2f}"
    print(f"{machine}; CPython {platform.python_version()}")
    if "scale" in parts:
        scales(quick=options.quick)
    if {"plan", "designs"} & set(parts):
        if options.no_tab:
            compare(parts, options.rounds, options.quick, None)
        else:
            from tests.bench import tab

            with tab.workers() as browser:
                compare(parts, options.rounds, options.quick, browser)


def compare(parts: tuple[str, ...], rounds: int, quick: bool, browser: Any) -> None:
    """The plan, and each golden design, natively and in the tab."""
    if "plan" in parts:
        plans(rounds, quick, browser)
    if "designs" in parts:
        designs(max(2, rounds // 2), browser)


def plans(rounds: int, quick: bool, browser: Any) -> None:
    """The default plan: seven rows and both searches."""
    from tests.bench import measure, node, product

    peers: dict[str, Callable[[], dict[str, Any]]] = {
        "planner, CPython": partial(product.timed, "plan"),
        "  drawing its arrivals": partial(product.timed, "arrivals"),
        "  python3 -m planner plan": command_line,
        "JavaScript ticks, Node": partial(node.timed, "plan"),
        "steady work": measure.steady_work,
    }
    if browser:
        version, in_planner, in_javascript = browser
        print(f"Chromium {version}; the plan's first run in the tab: {in_planner('plan')['ms']:.0f} ms")
        peers |= {
            "planner, tab": partial(in_planner, "plan"),
            "  drawing its arrivals, tab": partial(in_planner, "arrivals"),
            "JavaScript ticks, tab": partial(in_javascript, "plan"),
        }
    samples = measure.in_turns(peers, rounds)
    noise = samples.pop("steady work")
    native, ticks = samples["planner, CPython"], samples["JavaScript ticks, Node"]
    head(f"the default plan, 15 runs; median of {rounds}", "to the planner")
    for name, sample in samples.items():
        line(name, sample, sample.median / native.median)
    for name, sample in simulators(quick).items():
        line(name, sample, sample.median / native.median)
        if name.startswith("SimPy"):
            samples["SimPy"] = sample
    print(f"machine: the same work took {min(noise.ms):.0f} to {max(noise.ms):.0f} ms")
    differ = measure.disagreements(native.rows, ticks.rows)
    print("rows: " + ("the planner's and the JavaScript model's are equal" if not differ else f"DIFFER in {differ}"))
    aim("native, against JavaScript ticks", ticks, native, AIM_TICKS)
    aim("native, against SimPy", samples["SimPy"], native, AIM_SIMPY)
    if browser:
        aim("tab, against JavaScript ticks", samples["JavaScript ticks, tab"], samples["planner, tab"], AIM_TAB)


def simulators(quick: bool) -> dict[str, Any]:
    """SimPy and Ciw with the same arrivals, which are drawn for them beforehand; one run of each."""
    from importlib.metadata import version

    from tests.bench import in_ciw, in_simpy, load, measure

    runs = load.plan()[:1] if quick else load.plan()
    note = ", shared:2 alone, times 15" if quick else ""
    found = {}
    for name, module in (("SimPy", in_simpy), ("Ciw", in_ciw)):
        sample = measure.once(partial(_all, module.simulate, runs))
        sample.ms = [ms * (15 if quick else 1) for ms in sample.ms]
        found[f"{name} {version(name)}{note}"] = sample
    return found


def _all(simulate: Callable[..., object], runs: list[tuple[str, Any]]) -> list[dict[str, Any]]:
    for design, load in runs:
        simulate(design, load)
    return []


def designs(rounds: int, browser: Any) -> None:
    """Every golden design by itself, arrivals drawn anew in each run."""
    from tests.bench import measure, node, product

    golden: list[dict[str, Any]] = json.loads(GOLDEN.read_text(encoding="utf-8"))
    print(f"\neach golden design alone; median of {rounds}, in ms; under 1 the planner is slower than the ticks")
    print(
        f"{'':<22}{'CPython':>9}{'Node':>9}{'ratio':>8}" + (f"{'tab':>11}{'ticks':>9}{'ratio':>8}" if browser else "")
    )
    slower, wrong = [], []
    for row in golden:
        design = row["design"]
        peers: dict[str, Callable[[], dict[str, Any]]] = {
            "planner": partial(product.timed, design),
            "ticks": partial(node.timed, design),
        }
        if browser:
            peers |= {"planner, tab": partial(browser[1], design), "ticks, tab": partial(browser[2], design)}
        samples = measure.in_turns(peers, rounds)
        text = f"{design:<22}"
        for planner, ticks in (("planner", "ticks"), ("planner, tab", "ticks, tab")):
            if planner in samples:
                one, other = samples[planner].median, samples[ticks].median
                text += f"{one:>9.1f}{other:>9.1f}{other / one:>8.2f}  "
                if other < one:
                    slower.append(f"{design} ({'tab' if 'tab' in planner else 'CPython'}, {other / one:.2f})")
        print(text.rstrip(), flush=True)
        wrong += [
            f"{name}: {what}" for name, sample in samples.items() for what in measure.disagreements([row], sample.rows)
        ]
    print("rows: " + ("all golden" if not wrong else f"NOT GOLDEN {wrong}"))
    print("slower than the ticks: " + (", ".join(slower) or "none"))


def scales(quick: bool) -> None:
    """One design at 1 to 1000 times the load, slots in proportion, each in a process of its own."""
    from tests.bench import scale

    print(f"\n{'the default load, times':<26}{'jobs':>13}{'s':>9}{'us a job':>10}{'peak MB':>9}{'of it, idle':>13}")
    for factor in (1, 10, 100) if quick else (1, 10, 100, 1000):
        for design in (f"shared:{2 * factor}", f"separate:{factor}:{2 * factor}"):
            seen = scale.measured(factor, design)
            each = seen["seconds"] / seen["jobs"] * 1e6
            print(
                f"{factor:>6} {design:<19}{seen['jobs']:>13,}{seen['seconds']:>9.2f}{each:>10.3f}"
                f"{seen['peak_mb']:>9.0f}{seen['idle_mb']:>13.0f}",
                flush=True,
            )


def command_line() -> dict[str, Any]:
    """The whole command, from the shell and back."""
    start = time.perf_counter()
    subprocess.run([sys.executable, "-m", "planner", "plan"], check=True, capture_output=True, cwd=ROOT)
    return {"ms": (time.perf_counter() - start) * 1000, "rows": []}


def head(title: str, ratio: str) -> None:
    """The first line of a table of times."""
    print(f"\n{title:<44}{'ms':>11}{'fastest':>11}{'slowest':>11}{ratio:>16}")


def line(name: str, sample: Any, ratio: float) -> None:
    """One peer of a table."""
    print(f"{name:<44}{sample.median:>11.1f}{min(sample.ms):>11.1f}{max(sample.ms):>11.1f}{ratio:>16.2f}", flush=True)


def aim(what: str, peer: Any, planner: Any, wanted: float) -> None:
    """How much faster the planner is than a peer, and should be; the fastest runs suffer least from noise."""
    ratio, fastest = peer.median / planner.median, min(peer.ms) / min(planner.ms)
    verdict = "reached" if ratio >= wanted else "MISSED "
    print(f"{verdict}  {what}: {ratio:.1f} times as fast by medians, {fastest:.1f} by fastest runs (aim {wanted:g})")


if __name__ == "__main__":
    if Path(sys.prefix).resolve() != VENV.resolve():
        python_env.prepare("test")
        python = str(python_env.venv_python())
        os.execv(python, [python, "-m", "tests.bench", *sys.argv[1:]])
    main()
