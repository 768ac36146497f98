"""Go modules."""

import re

from gates.profiles.lexed import LexedTests
from gates.profiles.profile import LockFile, Profile, Project, Proposal, ProposedGate, Sign
from gates.test_guard.tokens import Language

_HOSTS = ("proxy.golang.org", "sum.golang.org")


def _detect(project: Project) -> Sign:
    return Sign.STRONG if "go.mod" in project.paths else Sign.NONE


def _propose(project: Project) -> Proposal:
    gates = (
        ProposedGate("build", "go build ./..."),
        ProposedGate("lint", "go vet ./..."),
        ProposedGate("test", "go test ./..."),
    )
    if "go.sum" not in project.paths:
        return Proposal(gates)
    return Proposal(gates, ("go mod download",), _HOSTS)


PROFILE = Profile(
    name="go",
    version="1",
    detect=_detect,
    propose=_propose,
    tests=LexedTests(re.compile(r"_test\.go$"), Language.GO),
    locks=(LockFile("go.sum", "go mod tidy", _HOSTS),),
)
