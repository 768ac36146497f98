"""The files that an agent will probably read or change: by the change's words, and by what changed together.

Twenty lines at most: a longer overview helps nobody to find a file sooner.
"""

import math
from collections import Counter
from collections.abc import Sequence

from action.order import AgentOrder
from bot.core.plan.vocabulary import terms
from bot.core.prompts.repository_context import path_words
from bot.core.spec.policy_file import WATCHED
from bot.core.spec.roots import paths_under

LIKELY_MAX = 20
# How many commits of main are asked what changed together.
COMMITS_ASKED = 400
# A commit of more files is a sweep: it says nothing of two of them.
_TOGETHER_MAX = 30
# The files by words whose company counts, and how much against words of its own.
_SEEDS = 8
_COMPANY_WEIGHT = 0.5


def likely_files(
    order: AgentOrder, paths: Sequence[str], commits: Sequence[Sequence[str]]
) -> tuple[str, ...]:
    """`paths` are those of the order's base, `commits` the paths of main's newest ones."""
    known = set(_own(order, paths))
    brief = order.brief
    said = [order.title, brief.scope, *(r.title for r in order.requirements)]
    said += [text for r in order.requirements for text in (r.statement, *r.scenarios)]
    near = _by_words(terms(" ".join(said)), sorted(known))
    seeds = dict(sorted(near.items(), key=lambda one: (-one[1], one[0]))[:_SEEDS])
    best = max(seeds.values(), default=1.0)
    seeds |= dict.fromkeys(known.intersection(brief.files), best)
    together = _by_company(seeds, commits, known)
    score = {path: near.get(path, 0.0) + together.get(path, 0.0) for path in {*near, *together}}
    for path in brief.files:
        score.pop(path, None)
    return tuple(sorted(score, key=lambda path: (-score[path], path))[:LIKELY_MAX])


def _own(order: AgentOrder, paths: Sequence[str]) -> list[str]:
    """Neither specs nor what lies in folders for machines."""
    left_out = {*paths_under(paths, WATCHED), *(r.spec_path for r in order.requirements)}
    return [path for path in paths if path not in left_out and not path.startswith(".")]


def _by_words(said: frozenset[str], paths: Sequence[str]) -> dict[str, float]:
    words = {path: path_words(path) for path in paths}
    common = Counter(word for found in words.values() for word in found)
    near = {
        path: sum(math.log(len(paths) / common[word]) for word in found & said)
        for path, found in words.items()
    }
    return {path: nearness for path, nearness in near.items() if nearness > 0}


def _by_company(
    seeds: dict[str, float], commits: Sequence[Sequence[str]], known: set[str]
) -> dict[str, float]:
    """How often files changed in one commit with the seeds, a share of each seed's own commits."""
    changes: Counter[str] = Counter()
    shared: Counter[tuple[str, str]] = Counter()
    for commit in commits:
        files = set(commit) & known
        if len(commit) > _TOGETHER_MAX:
            continue
        for seed in files & seeds.keys():
            changes[seed] += 1
            shared.update((seed, other) for other in files if other != seed)
    company: dict[str, float] = {}
    for (seed, other), count in sorted(shared.items()):
        # Once may be chance.
        if count > 1:
            weight = _COMPANY_WEIGHT * seeds[seed] * count / changes[seed]
            company[other] = company.get(other, 0.0) + weight
    return company
