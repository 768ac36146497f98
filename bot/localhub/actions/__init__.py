"""GitHub Actions in the box: workflow files, runs, jobs, and the runner that executes them.

The service is driven by a host (`host.py`) that owns repositories, tokens and webhooks. It imports
nothing of the rest of localhub, so that it can be mounted on any host that keeps the protocol.
"""
