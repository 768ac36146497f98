"""Wishes in one list, grouped by bold lines: the changes are these groups."""

from bot.core.plan.deterministic import plan
from bot.core.plan.put_off import left_out
from bot.core.plan.readiness import uncovered
from bot.core.spec.read import read_spec

PAGE = """\
# A harbour

## User Stories

**Berths**
1. As a sailor, I want to see which berths are free, so that I find one.
2. As a sailor, I want to reserve a berth for a night, so that it waits for me.
3. As a sailor, I want to give a berth back, so that others may have it.

**Weather**
4. As a sailor, I want to see the wind of the next day, so that I can plan.
5. As a sailor, I want to hear of storms, so that I stay in port.
6. As a sailor, I want to be led to the same harbour as the boats of my friends when these are known (post-MVP), so that we sail together.
"""


def test_wishes_below_a_bold_line_are_one_change() -> None:
    spec = read_spec("docs/PRD.md", {"docs/PRD.md": PAGE.encode()})
    live = uncovered({}, spec)
    lines = {r.id: r.line_start for r in live.requirements}
    changes = [(c.title, [lines[r] for r in c.requirements]) for c in plan(live).changes]
    assert changes == [("Berths", [6, 7, 8]), ("Weather", [11, 12])]


def test_a_wish_that_says_later_is_deferred() -> None:
    spec = read_spec("docs/PRD.md", {"docs/PRD.md": PAGE.encode()})
    (line,) = left_out(spec, {r.id for r in uncovered({}, spec).requirements}, {})
    assert "for later" in line
