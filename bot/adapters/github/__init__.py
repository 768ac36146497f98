"""GitHub's REST API, behind the port `Forge`.

`forge.py` implements the port: reads are in `reads.py`, writes in `writes.py`; `api.py` sends requests,
`app_tokens.py` mints their tokens, `classify.py` says what a failure means, `shapes.py` reads answers,
`truncate.py` cuts texts to size.
"""
