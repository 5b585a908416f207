"""The planner beside its peers, in one run: ``python3 -m tests.bench``.

Owns the peers (SimPy, Ciw, and a plain tick-by-tick model in JavaScript) and the measuring of time and memory.
"""
