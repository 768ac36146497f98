"""Packages with profiles as pip leaves them in a folder: a module, and its entry points."""

import itertools
from pathlib import Path

_NUMBERS = itertools.count(1)

ELIXIR = """
import re
from gates.profiles.lexed import LexedTests
from gates.profiles.profile import LockFile, Profile, Proposal, ProposedGate, Sign
from gates.test_guard.tokens import Language

PROFILE = Profile(
    name="elixir",
    version="3",
    detect=lambda project: Sign.STRONG if "mix.exs" in project.paths else Sign.NONE,
    propose=lambda project: Proposal(
        (ProposedGate("test", "mix test"),), ("mix deps.get",), ("repo.hex.pm",)
    ),
    tests=LexedTests(re.compile(r"_test[.]exs$"), Language.JAVASCRIPT),
    reads=("mix.exs",),
    locks=(LockFile("mix.lock", "mix deps.get", ("repo.hex.pm",)),),
)
"""


def put_plugin(folder: Path, module: str = ELIXIR, name: str = "elixir") -> Path:
    """Put a package with a profile below `folder`, which is on `sys.path`; the module's path."""
    imported = f"plugin_{folder.name.replace('-', '_')}_{next(_NUMBERS)}"
    told = folder / f"{imported}-0.9.dist-info"
    told.mkdir(parents=True)
    (told / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {imported}\nVersion: 0.9\n")
    (told / "entry_points.txt").write_text(f"[headgate.profiles]\n{name} = {imported}:PROFILE\n")
    place = folder / f"{imported}.py"
    place.write_text(module)
    return place
