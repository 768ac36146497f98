"""The HTTP layer: Flask blueprints, one file per area of GitHub's REST API, and git over HTTP.

A route checks the caller with `api.py`, reads the body, calls one operation and shapes the answer.
"""
