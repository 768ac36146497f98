"""Stories of services: a program that a gate needs beside it, inside its own walls."""

import pytest

from bot.core.spec.gate_entry import GateEntry, ServiceEntry
from bot.core.spec.gate_line import line_of
from gates.result import Ending
from tests.action.fake_server import FakeServer
from tests.action.kit import Harness, Project, gate_order
from tests.action.test_gate_order import gate
from tests.action.test_side_by_side import results

pytestmark = pytest.mark.slow

WEB = ServiceEntry(
    run="python3 -m http.server 8123 --bind 127.0.0.1",
    ready="python3 -c 'import urllib.request as u; u.urlopen(\"http://127.0.0.1:8123/\")'",
)
LATE = ServiceEntry(run="echo no disk; exit 1", ready="false", timeout_seconds=4)
ASK = (
    "python3 -c 'import urllib.request as u; "
    'assert b"hello" in u.urlopen("http://127.0.0.1:8123/shop.py").read()\''
)


def line(**services: ServiceEntry) -> str:
    return line_of(GateEntry(run=ASK, services=services)) or ""


def test_a_web_server_is_ready_for_the_gate_that_needs_it_and_gone_after(
    server: FakeServer, project: Project, harness: Harness
) -> None:
    gates = [
        gate("e2e", line(web=WEB)),
        gate("beside", line(web=WEB)),
        gate("after", f"! {ASK}"),
        gate("late", line(disk=LATE)),
    ]
    server.order = gate_order(server, project, gates, at_once=2)

    run = harness.run("gates")

    found = results(server)
    assert {name: r.ending for name, r in found.items()} == {
        "e2e": Ending.PASSED,
        "beside": Ending.PASSED,
        "after": Ending.PASSED,
        "late": Ending.FAILED,
    }, (run.output, found)
    assert "was not ready within 4 s. It said:\nno disk" in found["late"].log_tail
