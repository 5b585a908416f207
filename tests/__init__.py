"""The tests. A package, so that it is found before the one of this name that Ciw installs."""
