"""GitHub's REST API, behind the port `Forge`.

`forge.py` is the door: what we look at is in `looking.py`, what we do in `doing.py`; `api.py` sends
requests, `app_tokens.py` mints what they are sent with, `classify.py` says what a failure means,
`shapes.py` reads answers, `fitting.py` cuts texts to size.
"""
