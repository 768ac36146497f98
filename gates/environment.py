"""The environment of a gate's command: a short list of names, and no secret.

A name is on the list because a toolchain cannot start without it. Proxies and hosts are the
sandbox's business.
"""

import os
from collections.abc import Mapping
from pathlib import Path

_ALLOWED = frozenset(
    {"PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LANGUAGE", "TZ", "TMPDIR", "TERM"}
)
_ALLOWED_PREFIXES = ("LC_", "PYTHON")
# These steer the interpreter that runs the gates, not the one that the gate's command starts.
_KEPT_BACK = frozenset({"PYTHONSAFEPATH", "PYTHONSTARTUP", "PYTHONINSPECT", "PYTHONPATH"})

_OUR_ROOT = Path(__file__).resolve().parent.parent


def gate_environment(outer: Mapping[str, str]) -> dict[str, str]:
    """The allowed part of an environment, with `CI=true`, which tools read as "ask nobody".

    `PYTHONPATH` goes through without the folder of this program: a candidate that has a package
    called `gates` must find its own.
    """
    allowed = {
        name: value
        for name, value in outer.items()
        if (name in _ALLOWED or name.startswith(_ALLOWED_PREFIXES)) and name not in _KEPT_BACK
    }
    folders = outer.get("PYTHONPATH", "").split(os.pathsep)
    foreign = [folder for folder in folders if folder and Path(folder).resolve() != _OUR_ROOT]
    if foreign:
        allowed["PYTHONPATH"] = os.pathsep.join(foreign)
    allowed.setdefault("PATH", os.defpath)
    return allowed | {"CI": "true"}
