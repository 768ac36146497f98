"""From a pushed spec to merged code: the whole path."""

from tests.testkit.house import House

SPEC = """\
# Spec: A till

## Requirements

### REQ-TILL-01: Sum up
The till SHALL sum up the prices of a basket.

#### Scenario: Two things
- **WHEN** two things are in the basket
- **THEN** the sum is the sum of both prices

### REQ-PRINT-01: Print a receipt
The printer SHALL print what the till summed up.
Depends on: REQ-TILL-01

#### Scenario: A receipt
- **WHEN** the till has summed up
- **THEN** the receipt shows the sum
"""


def test_a_pushed_spec_ends_in_merged_code_and_a_closed_issue(shop: House) -> None:
    shop.push({"specs/till.md": SPEC}, "Ask for a till")
    shop.settle()

    tracking = shop.tracking()
    assert tracking["state"] == "open"
    assert "revision 1" in str(tracking["body"])
    number = int(str(tracking["number"]))

    approval = shop.comment(number, "/headgate approve")
    shop.work()

    assert shop.reactions(approval) == ["eyes", "rocket"]
    assert shop.issue(number)["state"] == "closed"
    assert "2 of 2 requirements landed" in shop.comments(number)[-1]
    assert [p["state"] for p in shop.pulls()] == ["closed", "closed"]
    assert all(p["merged_at"] for p in shop.pulls())
    assert "src" in " ".join(shop.main_files())
    assert len(shop.state.ledger) == len(shop.history())


def test_temporary_refs_are_deleted_after_the_landing(shop: House) -> None:
    shop.push({"specs/till.md": SPEC}, "Ask for a till")
    shop.settle()
    shop.comment(int(str(shop.tracking()["number"])), "/headgate approve")
    shop.work()

    refs = shop.git(shop.hub.repository(shop.full_name).git.folder, "for-each-ref").split()
    names = [n for n in refs if n.startswith("refs/") and not n.startswith("refs/pull/")]
    assert sorted(names) == ["refs/headgate/ledger", "refs/heads/main"]
