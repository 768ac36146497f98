"""Stories of services: a program that a gate needs, inside its own sandbox."""

import os
from pathlib import Path

import pytest

from bot.core.spec.gate_entry import GateEntry, ServiceEntry
from bot.core.spec.gate_line import line_of
from gates.result import Ending
from tests.action.fake_server import FakeServer
from tests.action.kit import Harness, Project, gate_order
from tests.action.test_gate_order import gate
from tests.action.test_parallel_gates import results
from tests.needs import found, needs_chromium, needs_postgres

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


def test_a_web_server_runs_only_during_the_gate_that_needs_it(
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

    seen = results(server)
    assert {name: r.ending for name, r in seen.items()} == {
        "e2e": Ending.PASSED,
        "beside": Ending.PASSED,
        "after": Ending.PASSED,
        "late": Ending.FAILED,
    }, (run.output, seen)
    assert "was not ready within 4 s. It said:\nno disk" in seen["late"].log_tail


DATABASE = ServiceEntry(
    run='initdb -D "$TMPDIR/pg" -U test -A trust\n'
    'exec postgres -D "$TMPDIR/pg" -k "$TMPDIR" -c listen_addresses=127.0.0.1',
    ready="psql -h 127.0.0.1 -U test -c 'select 1' postgres",
    timeout_seconds=120,
)
SHOP = ServiceEntry(
    run="printf '<title>till</title><script>document.title += 6 * 7</script>' >page.html\n"
    "exec python3 -m http.server 8124 --bind 127.0.0.1",
    ready="python3 -c 'import urllib.request as u; u.urlopen(\"http://127.0.0.1:8124/\")'",
)
BROWSE = (
    "chromium --headless --no-sandbox --disable-gpu --dump-dom http://127.0.0.1:8124/page.html "
    "| grep '<title>till42</title>'"
)


@needs_postgres
@needs_chromium
def test_a_database_a_web_server_and_a_browser_start_for_one_gate(
    server: FakeServer, project: Project, harness: Harness
) -> None:
    programs = str(Path(found("postgres") or "").parent)
    harness.environment |= {"PATH": f"{programs}{os.pathsep}{os.environ['PATH']}"}
    entry = GateEntry(
        run=["psql -h 127.0.0.1 -U test -tc 'select 40 + 2' postgres | grep 42", BROWSE],
        services={"db": DATABASE, "web": SHOP},
    )
    server.order = gate_order(server, project, [gate("e2e", line_of(entry) or "")])

    run = harness.run("gates")

    (result,) = results(server).values()
    assert result.ending is Ending.PASSED, (run.output, result.log_tail)
