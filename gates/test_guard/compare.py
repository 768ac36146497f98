"""What a change takes away from tests: a pure comparison of test files before and after.

A test that moved or was renamed is found again by its body or by what it asserts. What an assertion
said counts as kept where another one of the change says it at least as exactly, because people join
and split tests. New tests take nothing away, unless nothing in them can fail.
"""

import posixpath
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from gates.test_guard.found_test import (
    ANY_SUITE,
    Assertion,
    FoundTest,
    Mark,
    Strength,
    TestFile,
)
from gates.test_guard.partners import partners_of
from gates.wording import counted


class Loss(StrEnum):
    LOST = "lost"
    SKIPPED = "skipped"
    WEAKENED = "weakened"
    HOLLOW = "hollow"
    FEWER_CASES = "fewer cases"
    UNREADABLE = "unreadable"
    NOT_COMPARED = "not compared"
    THRESHOLD = "threshold lowered"
    PUT_IN_PLACE = "put in place"
    AWARE = "aware of tests"
    ANSWER = "answer of its tests"


@dataclass(frozen=True)
class TestLoss:
    """One finding.

    `test` is its id on base, or on the candidate where it is new; `said` are the words on base, by
    which it names requirements.
    """

    __test__ = False

    loss: Loss
    test: str
    path: str
    line: int
    message: str
    said: str = ""


@dataclass(frozen=True)
class Pair:
    """One path before and after; a file that is not there has no tests."""

    before: TestFile
    after: TestFile


def losses(pairs: Sequence[Pair]) -> tuple[TestLoss, ...]:
    """All that the change takes away, in the order of the files."""
    found = list(_unreadable(pairs))
    readable = [pair for pair in pairs if pair.before.is_readable and pair.after.is_readable]
    before = {test.id: test for pair in readable for test in pair.before.tests}
    after = {test.id: test for pair in readable for test in pair.after.tests}
    partners = partners_of(before, after)
    runs = _Kept.of(readable, partners, _LEFT_OUT)
    # What was left out before may be left out elsewhere.
    stays = _Kept.of(readable, partners, frozenset())
    twins = _Twins(readable)
    stands_for: set[str] = set()
    for id_, test in before.items():
        if id_ in partners or twins.has(test):
            continue
        kept = stays if test.marks & _LEFT_OUT else runs
        if kept.has_all(test):
            stands_for.update(one.text for one in test.assertions)
        else:
            found.append(_lost(test, after))
    stood_for = frozenset(stands_for)
    for id_, now in partners.items():
        kept = stays if before[id_].marks & _LEFT_OUT else runs
        found.extend(_taken_from(before[id_], now, kept, stood_for))
    found += _never_run(before, partners, readable)
    taken = {test.id for test in partners.values()}
    new = [test for id_, test in after.items() if id_ not in taken]
    found += [
        _hollow(test, "It is new, and it has no assertion that can fail.")
        for test in new
        if test.is_empty
    ]
    for test in new:
        if Mark.ONLY in test.marks:
            found.append(_only(test, test))
    found += _put_in_place(readable)
    found += _undeclared(readable)
    return tuple(found)


def _never_run(
    before: Mapping[str, FoundTest], partners: Mapping[str, FoundTest], pairs: Sequence[Pair]
) -> Iterator[TestLoss]:
    """Tests that have become methods of a type, or are still, which no test of these files runs."""
    ran = frozenset[str]().union(*(pair.before.suites_run for pair in pairs))
    runs = frozenset[str]().union(*(pair.after.suites_run for pair in pairs))
    if ANY_SUITE in runs:
        return
    for id_, now in partners.items():
        was = before[id_]
        if now.suite and now.suite not in runs and (was.suite != now.suite or was.suite in ran):
            said = f"It is a method of `{now.suite}`, but no test in the changed files runs it."
            yield TestLoss(Loss.SKIPPED, id_, now.path, now.line, said, was.said)


class _Twins:
    """Tests of base that say word for word the same, in the same surroundings."""

    def __init__(self, pairs: Sequence[Pair]) -> None:
        self._around = {pair.before.path: pair.before.around for pair in pairs}
        after = {test.id: test for pair in pairs for test in pair.after.tests}
        self._still = {
            self._key(test)
            for pair in pairs
            for test in pair.before.tests
            if test.id in after and self._key(after[test.id]) == self._key(test)
        }

    def has(self, gone: FoundTest) -> bool:
        """Whether one of the same words stays as it is."""
        return bool(gone.assertions) and self._key(gone) in self._still

    def _key(self, test: FoundTest) -> tuple[object, ...]:
        """Where a test stands, what it is given and what it does."""
        folder = posixpath.dirname(test.path)
        suite = test.name.rpartition("::")[0]
        around = self._around.get(test.path, "")
        return folder, around, suite, test.head, test.body, test.assertions, test.marks


def _put_in_place(pairs: Sequence[Pair]) -> Iterator[TestLoss]:
    known = {name for pair in pairs for name, _ in pair.before.put_in_place}
    for pair in pairs:
        for name, line in pair.after.put_in_place:
            if name not in known:
                message = f"This file replaces `{_short(name)}` for every test that runs with it."
                yield TestLoss(
                    Loss.PUT_IN_PLACE, f"{pair.after.path}::{name}", pair.after.path, line, message
                )


def _unreadable(pairs: Iterable[Pair]) -> Iterator[TestLoss]:
    for pair in pairs:
        if pair.before.tests and not pair.after.is_readable:
            yield TestLoss(
                Loss.UNREADABLE,
                pair.after.path,
                pair.after.path,
                1,
                f"The file can no longer be parsed, so its {len(pair.before.tests)} tests "
                "cannot be found.",
                "\n".join(test.said for test in pair.before.tests),
            )
        elif not pair.before.is_readable and pair.before != pair.after:
            yield _not_compared(pair)


def _not_compared(pair: Pair) -> TestLoss:
    path = pair.before.path
    said = "It could not be parsed before this change, so its earlier assertions are unknown."
    if pair.after.is_readable and not pair.after.tests:
        return TestLoss(Loss.UNREADABLE, path, path, 1, f"{said} It has no test now.")
    return TestLoss(Loss.NOT_COMPARED, path, path, 1, f"{said} Please compare it by hand.")


def _undeclared(pairs: Sequence[Pair]) -> Iterator[TestLoss]:
    """Files of tests that stay where they are and are compiled no more."""
    gone = {pair.before.path for pair in pairs if pair.before.tests and not pair.after.tests}
    still = {test.name for pair in pairs for test in pair.after.tests}
    declared = frozenset(name for pair in pairs for name in pair.after.declared)
    for pair in pairs:
        for name in sorted(pair.before.declared - declared):
            ends = (f"/{name}.rs", f"/{name}/mod.rs")
            if not any(f"/{path}".endswith(ends) for path in gone) and not any(
                one.startswith(f"{name}::") for one in still
            ):
                yield TestLoss(
                    Loss.LOST,
                    f"{pair.after.path}::{name}",
                    pair.after.path,
                    1,
                    f"`mod {name};` was removed, so the tests in that file are no longer compiled.",
                )


_LEFT_OUT = frozenset({Mark.SKIPPED, Mark.EXPECTED_TO_FAIL, Mark.DESELECTED})


class _Kept:
    """What all assertions of the change's files say that were not there before."""

    def __init__(self, added: Sequence[Assertion]) -> None:
        self._said = frozenset(map(_said, added))
        self._by_atom: defaultdict[str, list[Assertion]] = defaultdict(list)
        for one in set(added):
            for atom in one.atoms:
                self._by_atom[atom].append(one)

    @classmethod
    def of(
        cls, pairs: Sequence[Pair], partners: Mapping[str, FoundTest], left_out: frozenset[Mark]
    ) -> "_Kept":
        """The assertions of tests after the change that have no such mark, less those of what each was before."""
        was = {now.id: id_ for id_, now in partners.items()}
        before = {test.id: test for pair in pairs for test in pair.before.tests}
        added: list[Assertion] = []
        for pair in pairs:
            for test in pair.after.tests:
                if not test.marks & left_out:
                    old = before[was[test.id]] if test.id in was else None
                    added += _without(test.assertions, old.assertions if old else ())
                    added += _without(test.by_rows, old.by_rows if old else ())
        return cls(added)

    def has(self, gone: Assertion) -> bool:
        """Whether one that was added says as much: its literals, and nearly all of its names."""
        is_there = {_said(gone), _said(replace(gone, is_conditional=False))} & self._said
        return bool(is_there) or any(
            _fits(one, gone) and _covers(one, gone) for one in self._like(gone)
        )

    def _like(self, gone: Assertion) -> Iterator[Assertion]:
        """Those that share one of its rarest atoms: one that covers it lacks fewer than these."""
        having = sorted((self._by_atom.get(atom, []) for atom in gone.atoms), key=len)
        for these in having[: len(gone.atoms) // _LACKS_ONE_IN + 1]:
            yield from these

    def has_all(self, test: FoundTest) -> bool:
        """Whether a test that is gone lives on in others, as it stands or with what its names stand for."""
        return any(said and all(map(self.has, said)) for said in (test.assertions, test.by_rows))


def _covers(one: Assertion, gone: Assertion) -> bool:
    missing = gone.atoms - one.atoms
    has_literals = not any(_LITERAL.match(atom) for atom in missing)
    return bool(gone.atoms) and has_literals and _LACKS_ONE_IN * len(missing) <= len(gone.atoms)


_LACKS_ONE_IN = 4
_LITERAL = re.compile(r"[\d\"'`-]")


def _without(these: Iterable[Assertion], others: Iterable[Assertion]) -> Iterator[Assertion]:
    """Those that are not among the others; one of the others stands for one of these."""
    left = Counter(map(_said, others))
    for one in these:
        if left[_said(one)]:
            left[_said(one)] -= 1
        else:
            yield one


def _said(one: Assertion) -> tuple[object, ...]:
    """What makes two assertions one: the same words may say less, by what their names stand for."""
    how = (one.is_conditional, one.is_by_product, one.is_awaited, one.is_closed)
    return one.text, one.strength, one.tolerance, *how


def _taken_from(
    test: FoundTest, now: FoundTest, kept: _Kept, stands_for: frozenset[str]
) -> Iterator[TestLoss]:
    new_marks = now.marks - test.marks
    if Mark.ONLY in new_marks:
        yield _only(test, now)
    for mark in sorted(new_marks - {Mark.ONLY}):
        loss = Loss.WEAKENED if mark is Mark.TRIED_AGAIN else Loss.SKIPPED
        yield TestLoss(loss, test.id, now.path, now.line, f"It is now {mark}.", test.said)
    if now.tries > test.tries > 0:
        said = (
            f"It now runs again up to {now.tries} times after a failure; before, it was "
            f"{test.tries} times."
        )
        yield TestLoss(Loss.WEAKENED, test.id, now.path, now.line, said, test.said)
    if test.assertions and not now.assertions and not kept.has_all(test):
        yield TestLoss(
            Loss.HOLLOW,
            test.id,
            now.path,
            now.line,
            f"It had {counted(len(test.assertions), 'assertion')} and has none now.",
            test.said,
        )
    else:
        weakened = _weakened(test, now, kept, stands_for) or _put_in_its_place(test, now)
        if weakened:
            yield TestLoss(
                Loss.WEAKENED,
                test.id,
                now.path,
                now.line,
                f"It asserts less than before: {weakened}.",
                test.said,
            )
    # Where each row says something of its own, what they say is what counts.
    if len(set(test.by_rows)) >= max(test.cases, test.rows or 0) > 1 and all(
        one in now.by_rows or kept.has(one) for one in test.by_rows
    ):
        return
    for was, is_now in ((test.cases, now.cases), (test.rows, now.rows)):
        # A table that is gone may have become something else; its assertions are compared above.
        if was is not None and is_now is not None and is_now < was:
            yield TestLoss(
                Loss.FEWER_CASES,
                test.id,
                now.path,
                now.line,
                f"It had {was} cases and has {is_now} now.",
                test.said,
            )


def _put_in_its_place(test: FoundTest, now: FoundTest) -> str:
    """Half a sentence about what is asserted of something else under the same name."""
    asserted = {atom for one in test.assertions for atom in one.atoms}
    names = sorted(test.about & (now.own - test.own) & asserted)
    return "; ".join(
        f"the file no longer imports `{name}` from the same place" for name in names[:3]
    )


def _weakened(test: FoundTest, now: FoundTest, kept: _Kept, stands_for: frozenset[str]) -> str:
    """Half a sentence about assertions that nothing has taken the place of; empty for none."""
    gone = list(_without(test.assertions, now.assertions))
    # What already stands for a test that is gone stands for nothing else.
    new = [one for one in _without(now.assertions, test.assertions) if one.text not in stands_for]
    says_how_it_fails = any(
        one.strength is Strength.VALUE and _EXPECTS_FAILURE.match(one.text) for one in new
    )
    missing = []
    # The strongest first, each with the weakest of the new ones that is strong enough.
    for one in sorted(gone, key=lambda g: -g.strength):
        if kept.has(one) or (says_how_it_fails and _OF_A_FAILURE & one.atoms):
            continue
        fits = sorted((n for n in new if _fits(n, one)), key=lambda n: n.strength)
        if fits:
            new.remove(fits[0])
        else:
            missing.append(one)
    under = {one.text for one in now.assertions if one.is_conditional}
    return "; ".join(
        f"`{_short(one.text)}`{(' runs only under a condition' if one.text in under else '')}"
        for one in missing[:3]
    )


_EXPECTS_FAILURE = re.compile(r"(?:pytest\.)?(?:raises|warns)\(")
# What is asked of a failure after it was caught.
_OF_A_FAILURE = frozenset({"exit_code", "returncode", "exception", "excinfo", "exc_info"})
_ROUNDED = 0.5


def _fits(new: Assertion, gone: Assertion) -> bool:
    """Whether it may have taken the other's place."""
    # What was exact may become a number with a tolerance, as long as that is no whole one.
    was = _ROUNDED if gone.tolerance is None else gone.tolerance
    is_wider = new.tolerance is not None and new.tolerance > was
    is_looser = new.is_conditional and not gone.is_conditional
    is_theirs = (
        new.is_by_product
        and not gone.is_by_product
        and (new.text == gone.text or _has_a_value(gone))
    )
    is_let_go = gone.is_awaited and not new.is_awaited and new.text == gone.text
    is_made_up = new.is_closed and not gone.is_closed
    is_less = is_wider or is_looser or is_theirs or is_let_go or is_made_up
    return new.strength >= gone.strength and not is_less


def _has_a_value(one: Assertion) -> bool:
    return one.strength is Strength.VALUE and any(_LITERAL.match(atom) for atom in one.atoms)


def _lost(test: FoundTest, after: Mapping[str, FoundTest]) -> TestLoss:
    beside = sum(1 for one in after.values() if one.path == test.path)
    where = (
        f"{counted(beside, 'test')} left in its file" if beside else "no test is left in its file"
    )
    return TestLoss(
        Loss.LOST, test.id, test.path, 1, f"`{test.name}` was removed; {where}.", test.said
    )


def _hollow(test: FoundTest, message: str) -> TestLoss:
    return TestLoss(Loss.HOLLOW, test.id, test.path, test.line, message, test.said)


def _only(test: FoundTest, now: FoundTest) -> TestLoss:
    message = "It is marked to run alone, so the other tests of its file do not run."
    return TestLoss(Loss.SKIPPED, test.id, now.path, now.line, message, "")


def _short(text: str) -> str:
    one_line = " ".join(text.split())
    return one_line if len(one_line) <= 120 else f"{one_line[:119]}…"
