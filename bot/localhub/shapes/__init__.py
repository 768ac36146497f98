"""The JSON shapes of GitHub's REST API and webhooks, one file per area.

A shape reads the model and returns a JSON object with every key that GitHub documents as required.
"""
