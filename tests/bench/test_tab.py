"""The benchmark's way into the tab, as the benchmark takes it: a process of its own."""

import json
import subprocess
import sys
from pathlib import Path

from tests.bench.measure import disagreements

PROGRAM = """
import json
from tests.bench import tab
with tab.workers() as (_, planner, javascript):
    print(json.dumps([planner("plan")["rows"], javascript("plan")["rows"]]))
"""


def test_both_peers_answer_in_the_tab_with_the_same_rows() -> None:
    root = Path(__file__).resolve().parents[2]
    done = subprocess.run([sys.executable, "-c", PROGRAM], cwd=root, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    planner, javascript = json.loads(done.stdout.splitlines()[-1])
    assert len(planner) == len(javascript) == 7
    assert disagreements(javascript, planner) == []
