"""The gate `spec_verify`, the runner's part: which tests of the tree name each requirement.

A test that asserts nothing proves nothing. The bot adds which tests passed, and the level.
"""

import re
from collections.abc import Iterator, Sequence

from gates.asked import Asked, AskedRequirement
from gates.builtin import BuiltinSubject, Judgement
from gates.proof import ProvingTest, RequirementProof
from gates.result import Ending
from gates.test_guard.allowance import names_requirement, slug
from gates.test_guard.found_test import FoundTest, Mark
from gates.wording import counted

# Read in parts, so that the contents of a large repository are never in memory all at once.
_PATHS_AT_ONCE = 500
# A requirement is proven by a few tests; more of them say nothing new.
TESTS_MAX = 20
_NOT_RUN = frozenset({Mark.SKIPPED, Mark.EXPECTED_TO_FAIL})


def check_spec(subject: BuiltinSubject) -> Judgement:
    """Collect the tests of each requirement; one that is removed needs none."""
    asked = [r for r in subject.settings.requirements if r.asked is not Asked.REMOVED]
    if not asked:
        return Judgement(Ending.PASSED, "There is no requirement of a change to prove here.")
    found: dict[str, list[ProvingTest]] = {one.id: [] for one in asked}
    for test in _tests(subject, asked):
        for one in asked:
            if names_requirement(test.said, one.names) and len(found[one.id]) < TESTS_MAX:
                found[one.id].append(_proving(test, one))
    proof = tuple(
        RequirementProof(requirement=one.id, scenarios=one.scenarios, tests=tuple(found[one.id]))
        for one in asked
    )
    named = sum(any(test.asserts for test in one.tests) for one in proof)
    sentence = f"A test that asserts names {named} of {counted(len(proof), 'requirement')}."
    return Judgement(Ending.PASSED, sentence, proof=proof)


def _tests(subject: BuiltinSubject, asked: Sequence[AskedRequirement]) -> Iterator[FoundTest]:
    words = {word.encode() for one in asked for name in one.names for word in (name, slug(name))}
    paths = sorted(path for path in subject.paths if subject.readers.is_test_path(path))
    for at in range(0, len(paths), _PATHS_AT_ONCE):
        for path, raw in subject.after(paths[at : at + _PATHS_AT_ONCE]).items():
            lowered = raw.lower()
            if any(word in raw or word in lowered for word in words):
                yield from subject.readers.read(path, raw).tests


def _proving(test: FoundTest, requirement: AskedRequirement) -> ProvingTest:
    said = slug(test.said)
    versions = [
        found[1]
        for name in requirement.names
        for found in [re.search(rf"{re.escape(name)}@([0-9a-f]{{8,64}})\b", test.said)]
        if found
    ]
    return ProvingTest(
        path=test.path,
        name=test.name,
        asserts=bool(test.assertions) and not test.marks & _NOT_RUN,
        version=versions[0] if versions else "",
        scenarios=tuple(s for s in requirement.scenarios if slug(s) and slug(s) in said),
        cases=test.cases,
    )
