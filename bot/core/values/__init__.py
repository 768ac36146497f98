"""Ids, the spec and plan model, lifecycle tables: what both sides of a decision name."""
