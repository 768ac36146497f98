"""How many examples a property is tried on: few at every run, and with HEADGATE_HUNT that many times more."""

import os

HUNT = int(os.environ.get("HEADGATE_HUNT", "0"))


def examples(at_every_run: int) -> int:
    """For `max_examples`; `make hunt` looks for longer, and elsewhere each time."""
    return at_every_run * max(1, HUNT)
