"""Which test of a candidate is which of base: by its name, its body, what it asserts, or most of its words."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, islice

from gates.test_guard.found_test import FoundTest

Tests = Mapping[str, FoundTest]


def partners_of(before: Tests, after: Tests) -> dict[str, FoundTest]:
    """For each test of base the one that it has become, if any."""
    partners = {id_: after[id_] for id_ in before if id_ in after}
    taken = {test.id for test in partners.values()}
    free = [test for id_, test in after.items() if id_ not in taken]
    by_body: defaultdict[str, list[FoundTest]] = defaultdict(list)
    by_name: defaultdict[str, list[FoundTest]] = defaultdict(list)
    by_asserted: defaultdict[tuple[str, ...], list[FoundTest]] = defaultdict(list)
    for test in free:
        by_body[test.body].append(test)
        by_name[test.short_name].append(test)
        by_asserted[_texts(test)].append(test)
    much_alike = _MuchAlike(free)
    alone = _Alone(before, free, after)
    for id_, test in before.items():
        if id_ in partners:
            continue
        alike = [*by_body[test.body], *by_name[test.short_name]]
        if test.assertions:
            alike += by_asserted[_texts(test)]
        now = next((one for one in alike if one.id not in taken), None)
        if now is None:
            now = next(
                (one for one in chain(much_alike.of(test), alone.of(test)) if one.id not in taken),
                None,
            )
        if now is not None:
            partners[id_] = now
            taken.add(now.id)
    return partners


def _texts(test: FoundTest) -> tuple[str, ...]:
    return tuple(sorted(one.text for one in test.assertions))


class _MuchAlike:
    """Tests of a file that share most of their words: renamed and edited at once."""

    def __init__(self, tests: Sequence[FoundTest]) -> None:
        self._words = [(test, frozenset(test.body.split())) for test in tests]
        self._having: defaultdict[tuple[str, str], list[int]] = defaultdict(list)
        for at, (test, words) in enumerate(self._words):
            for word in words:
                self._having[test.path, word].append(at)

    def of(self, test: FoundTest) -> Iterator[FoundTest]:
        ours = frozenset(test.body.split())
        # One that shares half of its words has one of any half of them and one more: of the rarest.
        having = sorted((self._having.get((test.path, word), []) for word in ours), key=len)
        places = chain.from_iterable(having[: len(ours) // 2 + 1])
        for at in sorted(set(islice(places, _LOOKED_AT_MAX))):
            other, theirs = self._words[at]
            shared = len(ours & theirs)
            if shared >= _SHARED_MIN and 2 * shared >= len(ours | theirs):
                yield other


class _Alone:
    """The one test of a suite whose only test had another name: as if it had been edited in its place."""

    def __init__(self, before: Tests, free: Sequence[FoundTest], after: Tests) -> None:
        were, are = (Counter(map(_suite_of, tests.values())) for tests in (before, after))
        suites = {_suite_of(test): test for test in free}
        self._free = {
            suite: test
            for suite, test in suites.items()
            if suite[1] and were[suite] == are[suite] == 1
        }

    def of(self, test: FoundTest) -> Iterator[FoundTest]:
        yield from filter(None, (self._free.get(_suite_of(test)),))


def _suite_of(test: FoundTest) -> tuple[str, str]:
    return test.path, test.name.rpartition("::")[0]


_SHARED_MIN = 6
# Up to a ceiling each test is compared with each.
_LOOKED_AT_MAX = 1000
