"""What the whole demo cost and covered, read from its journal: `.ci/run` asks once it has played.

headgate demo --exit --folder PLAYED && python -m tests.demo.played PLAYED
"""

import json
import sqlite3
import sys
from pathlib import Path

# Before the first change and after a person's push.
_ORDERS_OF_MAIN_MAX = 2
# One attempt is wrong, and one candidate is judged at a time.
_CONVICTED_MAX = 1
_OVERTAKEN_MAX = 1
_CHANGES = 7
_TOLD = "17 of 17 requirements are covered, each by a test that passed on main."

Body = dict[str, object]


def journal_of(kept: Path) -> list[Body]:
    """Every event, oldest first."""
    with sqlite3.connect(kept / "var" / "journal.db") as journal:
        rows = journal.execute("SELECT body FROM events ORDER BY number").fetchall()
    return [json.loads(row[0]) for row in rows]


class GateOrders:
    """The gate orders that runners took, by what they led to.

    A person's push overtakes what stands on the main of before and has not landed. When a runner took the
    order says nothing: that is written down by the look that also sees the push. What a runner lost was judged
    by nobody.
    """

    def __init__(self, events: list[Body]) -> None:
        built: dict[object, Body] = {}
        candidates: dict[object, Body] = {}
        of_main: set[object] = set()
        taken: set[object] = set()
        lost: set[object] = set()
        overtaken_mains: set[object] = set()
        self.landed: set[object] = set()
        self.convicted: set[object] = set()
        main: object = None
        for event in events:
            match event["type"]:
                case "CandidateBuilt":
                    built[event["change"]] = event
                case "GatesOrdered":
                    candidates[event["order"]] = built[event["change"]]
                case "AdoptionOrdered":
                    of_main.add(event["order"])
                case "OrderLeased":
                    taken.add(event["order"])
                case "GatesLost":
                    lost.add(event["order"])
                case "CandidateFailed":
                    self.convicted.add(event["order"])
                case "Landed":
                    main = event["sha"]
                    self.landed.add(main)
                case "CommitAdopted":
                    overtaken_mains.add(main)
                    main = event["sha"]
                case _:
                    pass
        self.of_main = (taken & of_main) - lost
        self.of_changes = (taken & candidates.keys()) - lost
        self.overtaken = {
            order
            for order in self.of_changes
            if candidates[order]["base"] in overtaken_mains
            and candidates[order]["sha"] not in self.landed
        }
        judged_and_landed = {o for o in self.of_changes if candidates[o]["sha"] in self.landed}
        self.in_vain = self.of_changes - judged_and_landed - self.convicted - self.overtaken


def problems_of(played: Path) -> list[str]:
    """What is not as the demo is to be, a sentence each."""
    events = journal_of(played)
    orders = GateOrders(events)
    counted_orders = (
        ("gate orders of main", orders.of_main, _ORDERS_OF_MAIN_MAX),
        ("gate orders that convicted", orders.convicted, _CONVICTED_MAX),
        ("gate orders for what a push overtook", orders.overtaken, _OVERTAKEN_MAX),
        ("gate orders that led to nothing", orders.in_vain, 0),
        ("gate orders of changes", orders.of_changes, _CHANGES + _CONVICTED_MAX + _OVERTAKEN_MAX),
    )
    found = [
        f"{len(those)} {what}, not {most}: {', '.join(sorted(map(str, those)))}"
        for what, those, most in counted_orders
        if len(those) > most
    ]
    # Every agent asks the model through the gateway, which counts it.
    counted = len(list((played / "var" / "gateway").glob("*.json")))
    if counted < _CHANGES:
        found.append(f"the gateway has counted {counted} agents, not {_CHANGES}")
    effects = [e["effect"] for e in events if e["type"] == "EffectIntended"]
    if _TOLD not in json.dumps(effects):
        found.append(f"nobody was told: {_TOLD}")
    return found


if __name__ == "__main__":
    PLAYED = Path(sys.argv[1])
    ORDERS = GateOrders(journal_of(PLAYED))
    JUDGED, LANDED = len(ORDERS.of_changes), len(ORDERS.landed)
    sys.stdout.write(
        f"{JUDGED} gate orders of changes, {LANDED} landings: {JUDGED / LANDED:.2f} each\n"
    )
    sys.exit("\n".join(problems_of(PLAYED)) or 0)
