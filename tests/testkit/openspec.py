"""An OpenSpec project of a shop's till, with deltas.

`APPLIED` is `TILL` with `TILL_DELTA` applied; `EDITED` is an edit that the delta does not know.
"""

FOLDER = "openspec/changes/add-receipts"
TILL_PATH = "openspec/specs/till/spec.md"
TILL = """\
# till

## Purpose
Takes the money of people who buy something in the shop.

## Requirements

### Requirement: Sum up
The till SHALL sum up the prices.

#### Scenario: Two things
- **WHEN** two things are in the basket
- **THEN** the sum is the sum of both prices
"""
TILL_DELTA = """\
## MODIFIED Requirements

### Requirement: Sum up
The till SHALL sum up the prices, with taxes.

#### Scenario: Two things
- **WHEN** two things are in the basket
- **THEN** the sum is the sum of both prices and their taxes
"""
DOOR_DELTA = """\
## ADDED Requirements

### Requirement: Open the door
The door SHALL open by itself.

#### Scenario: Somebody comes
- **WHEN** somebody stands before the door
- **THEN** it opens
"""
CART_PATH = "openspec/specs/cart/spec.md"
CART_DELTA = """\
## ADDED Requirements

### Requirement: Fill the cart
The cart SHALL hold ten things.

#### Scenario: Ten things
- **WHEN** ten things are put into the cart
- **THEN** it holds them
"""
PROPOSAL = "# Add receipts\n\n## Why\nPeople ask.\n\n## What Changes\n- Taxes and a door.\n"
APPLIED = TILL.replace("prices.\n", "prices, with taxes.\n").replace(
    "prices\n", "prices and their taxes\n"
)
EDITED = TILL.replace("SHALL sum up", "SHALL always sum up")
ROUNDED = TILL.replace(
    "- **THEN** the sum is the sum of both prices",
    "- **THEN** the sum is the sum of both prices\n- **AND** it is rounded to a cent",
)
RENAMED = TILL.replace("### Requirement: Sum up", "### Requirement: Add up")
