"""Answers that were spoilt on the way, or come from a replica that is behind."""

import json
from datetime import datetime, timedelta

from flask import Response

# What a gateway shows while it is busy with itself, with the status of success.
PAGE = "<!DOCTYPE html>\n<html><body><h1>Please wait</h1></body></html>\n"

_CREATED = ("created_at", "started_at")


def halve(response: Response) -> None:
    """Half of the body, with headers that announce it as the whole."""
    body = response.get_data()
    response.set_data(body[: len(body) // 2])


def leave_out_newest(response: Response, now: datetime, seconds: float) -> None:
    """Take what was created so short a time ago out of each list of the answer."""
    answer: object = response.get_json(silent=True)
    since = now - timedelta(seconds=seconds)
    if isinstance(answer, list):
        response.set_data(json.dumps(_older(answer, since)))
    elif isinstance(answer, dict):
        lists = {k: _older(v, since) for k, v in answer.items() if isinstance(v, list)}
        if lists:
            response.set_data(json.dumps(answer | lists))


def _older(entries: list[object], since: datetime) -> list[object]:
    return [one for one in entries if not _is_newer(one, since)]


def _is_newer(entry: object, since: datetime) -> bool:
    if not isinstance(entry, dict):
        return False
    at = next((entry[name] for name in _CREATED if entry.get(name)), None)
    return isinstance(at, str) and datetime.fromisoformat(at) > since
