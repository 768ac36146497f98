"""The builtin gates by name. To add one: a file with a pure function, and a line in the table."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from gates.builtin import BuiltinSubject, JudgeBuiltin, Judgement
from gates.guardrails import check_guardrails
from gates.junk import check_junk
from gates.result import Ending, Judges
from gates.rules import check_rules
from gates.scope_check import check_scope
from gates.secrets_gate import check_secrets
from gates.spec_verify import check_spec
from gates.tests_gate import check_tests


@dataclass(frozen=True)
class BuiltinGate:
    """A gate of Headgate's own that judges a diff: a pure function, fast and unable to hang."""

    judges: Judges
    judge: JudgeBuiltin


def needs_a_harness(_: BuiltinSubject) -> Judgement:
    """Tests of main run inside the walls alone, by the harness of a gate order."""
    return Judgement(Ending.COULD_NOT_RUN, "Only a runner can run the tests of main.")


BUILTIN_GATES: Mapping[str, BuiltinGate] = MappingProxyType(
    {
        "scope_check": BuiltinGate(Judges.DIFF, lambda s: check_scope(s.diff, s.settings, s.paths)),
        "junk": BuiltinGate(Judges.DIFF, check_junk),
        "secrets": BuiltinGate(Judges.DIFF, check_secrets),
        "rules": BuiltinGate(Judges.CHANGE, check_rules),
        "guardrails": BuiltinGate(Judges.CHANGE, check_guardrails),
        "tests": BuiltinGate(Judges.CHANGE, check_tests),
        "base_tests": BuiltinGate(Judges.CHANGE, needs_a_harness),
        "spec_verify": BuiltinGate(Judges.CHANGE, check_spec),
    }
)
