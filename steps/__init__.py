"""The steps that build.py names, one module each.

Modules that run before the virtual environment exists (``failure``, ``report``, ``paths``, ``lock``, ``server``,
``python_env``) import nothing but the standard library. No step keeps state: each goes from files to files.
"""
