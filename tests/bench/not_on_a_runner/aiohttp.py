"""Stands in for a package that the lock of the runner does not have."""

raise ImportError("not on a runner")
