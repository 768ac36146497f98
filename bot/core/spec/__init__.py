"""Bytes to values: formats, archive, triage, requirement ids, the policy file."""
