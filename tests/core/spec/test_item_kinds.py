"""What the letters of an id say about its line."""

import pytest

from bot.core.spec.item_kinds import ItemKind, item_kind
from bot.core.spec.read import read_spec

FOLDER = "specs/007-ferry"
PAGE = """\
# Feature Specification: Ferry

### User Story 1 - Buy a ticket (Priority: P1)

**Functional requirements**

- **US1-FR1**: The desk MUST sell tickets.
- **US1-FR2**: The desk MUST print tickets.

**Success criteria**

- **US1-SC1**: Nine of ten guests buy a ticket in a minute.

1. **Given** a guest, **When** they pay, **Then** they have a ticket.

### User Story 2 - Give a ticket back (Priority: P2)

**Functional requirements**

- **US2-FR1**: The desk MUST take tickets back.

1. **Given** a ticket, **When** it is given back, **Then** it is void.
"""


@pytest.mark.parametrize(
    ("identifier", "kind"),
    [
        ("US1-FR2", ItemKind.FUNCTIONAL),
        ("UC3-FR-02", ItemKind.FUNCTIONAL),
        ("E2-US4", ItemKind.STORY),
        ("FR1-AC2", ItemKind.CRITERION),
        ("US1-SC1", ItemKind.OTHER),
        ("US-12", ItemKind.STORY),
        ("US1-C2", ItemKind.STORY),
        ("US1-QQ2", ItemKind.STORY),
    ],
)
def test_an_id_within_another_is_of_its_own_kind(identifier: str, kind: ItemKind) -> None:
    assert item_kind(identifier) is kind


def test_requirements_that_are_counted_within_stories_are_read_with_them() -> None:
    spec = read_spec(FOLDER, {f"{FOLDER}/spec.md": PAGE.encode()})
    assert [(r.source_id, r.domain[:12]) for r in spec.requirements] == [
        ("US1-FR1", "User Story 1"),
        ("US1-FR2", "User Story 1"),
        ("US2-FR1", "User Story 2"),
    ]
