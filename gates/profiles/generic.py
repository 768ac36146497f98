"""What has no other profile: the targets of a Makefile, `make test` where nothing is known."""

import re

from gates.profiles.profile import LockFile, Profile, Project, Proposal, ProposedGate, Sign

_TARGET = re.compile(r"^([a-z][a-z-]*)\s*:(?!=)", re.MULTILINE)


def _detect(_project: Project) -> Sign:
    return Sign.WEAK


def _propose(project: Project) -> Proposal:
    targets = set(_TARGET.findall(project.texts.get("Makefile", "")))
    named = [name for name in ("build", "lint", "check", "test") if name in targets]
    return Proposal(tuple(ProposedGate(name, f"make {name}") for name in named or ["test"]))


PROFILE = Profile(
    name="generic",
    version="1",
    detect=_detect,
    propose=_propose,
    reads=("Makefile",),
    locks=(LockFile("Gemfile.lock", "bundle lock", ("rubygems.org", "index.rubygems.org")),),
)
