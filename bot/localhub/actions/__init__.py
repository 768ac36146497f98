"""GitHub Actions in the box: workflow files, runs, jobs, and the runner that executes them.

A host (`host.py`) provides repositories, tokens and webhooks. Of localhub this package
imports only how errors, pages and JSON look, so that it works with any host that implements the protocol.
"""
