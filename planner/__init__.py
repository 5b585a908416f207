"""Yuva's planner: business numbers in, slot counts and an exact simulation table out.

The data goes one way, and so do the imports::

    scenario -> derived -> streams -> engine -> metrics -> sizing -> plan -> report -> render

The same code runs in CPython and, through Pyodide, in a browser tab.
"""

VERSION = 1
"""Version of the JSON documents and of the share link."""
