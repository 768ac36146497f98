"""GitHub Actions in the box: workflow files, runs, jobs, and the runner that executes them.

A host (`host.py`) provides repositories, tokens and webhooks. This package imports nothing else of
localhub, so that it works with any host that implements the protocol.
"""
