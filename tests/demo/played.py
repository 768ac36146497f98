"""What the whole demo cost and covered, read from its journal: `.ci/run` asks once it has played.

headgate demo --exit --folder PLAYED && python -m tests.demo.played PLAYED
"""

import json
import sqlite3
import sys
from pathlib import Path

# Main before the first change and after a person's push, seven changes, a wrong attempt.
_GATE_ORDERS_MAX = 10
# One candidate is judged at a time.
_OVERTAKEN_MAX = 1
_ORDERS_OF_A_CHANGE_MAX = 1.4
_CHANGES = 7
_TOLD = "17 of 17 requirements are covered, each by a test that passed on main."

Body = dict[str, object]


def journal_of(kept: Path) -> list[Body]:
    """Every event, oldest first."""
    with sqlite3.connect(kept / "var" / "journal.db") as journal:
        rows = journal.execute("SELECT body FROM events ORDER BY number").fetchall()
    return [json.loads(row[0]) for row in rows]


def gate_orders(events: list[Body]) -> tuple[set[object], set[object]]:
    """The gate orders that runners took; those of them whose candidate a person's push overtook.

    A push overtakes what stands on the main of before and has not landed. When a runner took the order
    says nothing: that is written down by the look that also sees the push.
    """
    built: dict[object, Body] = {}
    candidates: dict[object, Body] = {}
    taken: set[object] = set()
    landed: set[object] = set()
    overtaken_mains: set[object] = set()
    main: object = None
    for event in events:
        match event["type"]:
            case "CandidateBuilt":
                built[event["change"]] = event
            case "GatesOrdered":
                candidates[event["order"]] = built[event["change"]]
            case "AdoptionOrdered":
                candidates[event["order"]] = {}
            case "OrderLeased" if event["order"] in candidates:
                taken.add(event["order"])
            case "Landed":
                main = event["sha"]
                landed.add(main)
            case "CommitAdopted":
                overtaken_mains.add(main)
                main = event["sha"]
            case _:
                pass
    of_changes = {order: candidates[order] for order in taken if candidates[order]}
    overtaken = {
        order
        for order, candidate in of_changes.items()
        if candidate["base"] in overtaken_mains and candidate["sha"] not in landed
    }
    return taken, overtaken


def problems_of(played: Path) -> list[str]:
    """What is not as the demo is to be, a sentence each."""
    events = journal_of(played)
    taken, overtaken = gate_orders(events)
    found = []
    if len(taken - overtaken) > _GATE_ORDERS_MAX:
        found.append(f"{len(taken - overtaken)} gate orders, not {_GATE_ORDERS_MAX}")
    if len(overtaken) > _OVERTAKEN_MAX:
        found.append(f"{len(overtaken)} gate orders for what a push overtook")
    judged, landed = judged_and_landed(events)
    if judged > landed * _ORDERS_OF_A_CHANGE_MAX:
        found.append(f"{judged} gate orders of changes for {landed} landings")
    # Every agent asks the model through the gateway, which counts it.
    counted = len(list((played / "var" / "gateway").glob("*.json")))
    if counted < _CHANGES:
        found.append(f"the gateway has counted {counted} agents, not {_CHANGES}")
    effects = [e["effect"] for e in events if e["type"] == "EffectIntended"]
    if _TOLD not in json.dumps(effects):
        found.append(f"nobody was told: {_TOLD}")
    return found


def judged_and_landed(events: list[Body]) -> tuple[int, int]:
    """The gate orders of changes, all of them, and the changes that landed."""
    ordered = {e["order"] for e in events if e["type"] == "GatesOrdered"}
    taken, _ = gate_orders(events)
    return len(taken & ordered), sum(e["type"] == "Landed" for e in events)


if __name__ == "__main__":
    PLAYED = Path(sys.argv[1])
    JUDGED, LANDED = judged_and_landed(journal_of(PLAYED))
    sys.stdout.write(
        f"{JUDGED} gate orders of changes, {LANDED} landings: {JUDGED / LANDED:.2f} each\n"
    )
    sys.exit("\n".join(problems_of(PLAYED)) or 0)
