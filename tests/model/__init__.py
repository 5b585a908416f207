"""The plain model of the rules, and the golden rows it reproduces."""
