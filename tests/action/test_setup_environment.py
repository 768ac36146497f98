"""Only setup gets the named variables and certificate authorities of the runner."""

import ssl
from pathlib import Path

import pytest

from action.harness.folder import OrderFolder
from action.harness.setup_environment import Given, read_given
from action.order import SetupCommand, SetupEnvironment
from action.report import Obstacle
from gates.result import Ending
from tests.action.fake_server import FakeServer
from tests.action.kit import Harness, Project, gate_order
from tests.action.test_gate_order import endings, gate

VALUE = "npm-Secret-1234567890"
NAMED = SetupEnvironment(variables=("REGISTRY_TOKEN",))
HIDDEN = gate("hidden", 'test -z "$REGISTRY_TOKEN"')


@pytest.fixture
def authority() -> Path:
    """Any file of certificates will do: the machine's own."""
    place = ssl.get_default_verify_paths().cafile or "/etc/ssl/certs/ca-certificates.crt"
    return Path(place)


@pytest.fixture
def folder(tmp_path: Path) -> OrderFolder:
    made = OrderFolder(tmp_path)
    made.given.mkdir()
    return made


def judge(
    server: FakeServer, project: Project, harness: Harness, line: str, named: SetupEnvironment
) -> str:
    """The log of an order with one line of setup."""
    setup = (SetupCommand(run=line),)
    fields = {"setup": setup, "setup_sha": project.head_sha, "environment": named}
    server.order = gate_order(server, project, [HIDDEN], **fields)
    return harness.run("gates").output


def said(server: FakeServer) -> str:
    """All that the server was told."""
    return server.gate_report.model_dump_json() + "".join(
        b.model_dump_json() for b in server.batches
    )


@pytest.mark.slow
def test_only_setup_gets_the_named_variables(
    server: FakeServer, project: Project, harness: Harness, authority: Path
) -> None:
    harness.environment |= {"REGISTRY_TOKEN": VALUE, "OTHER_TOKEN": "another-secret"}
    line = (
        f'test "$REGISTRY_TOKEN" = {VALUE[:4]}"{VALUE[4:]}" && test -z "$OTHER_TOKEN" && '
        'grep -q CERTIFICATE "$SSL_CERT_FILE" && test "$NODE_EXTRA_CA_CERTS" = "$PIP_CERT"'
    )
    named = NAMED.replace(ca_files=(str(authority),))
    judge(server, project, harness, line, named)
    assert endings(server) == {"hidden": Ending.PASSED}


@pytest.mark.slow
def test_a_secret_that_setup_prints_is_not_shown(
    server: FakeServer, project: Project, harness: Harness
) -> None:
    harness.environment |= {"REGISTRY_TOKEN": VALUE}
    log = judge(server, project, harness, 'echo "401 for $REGISTRY_TOKEN"; exit 1', NAMED)
    assert server.gate_report.obstacle is Obstacle.SETUP_FAILED
    assert "401 for [secret]" in server.gate_report.sentence
    assert VALUE not in said(server)
    assert VALUE not in "".join(line for line in log.splitlines() if "::add-mask::" not in line)
    assert f"::add-mask::{VALUE}" in log


@pytest.mark.slow
@pytest.mark.parametrize("place", ["~/.npmrc", "deps/settings.ini"])
def test_setup_that_leaves_a_secret_for_agents_fails(
    server: FakeServer, project: Project, harness: Harness, place: str
) -> None:
    harness.environment |= {"REGISTRY_TOKEN": VALUE}
    line = f'mkdir -p deps; echo "token=$REGISTRY_TOKEN" > {place}'
    judge(server, project, harness, line, NAMED)
    report = server.gate_report
    assert report.obstacle is Obstacle.SETUP_FAILED
    assert report.report is None
    assert place.removeprefix("~/") in report.sentence
    assert VALUE not in said(server)


def test_variables_missing_on_the_runner_are_named(folder: OrderFolder) -> None:
    asked = SetupEnvironment(variables=("HERE", "REGISTRY_TOKEN", "EMPTY"))
    told = read_given(asked, {"HERE": "1", "EMPTY": ""}, folder)
    assert isinstance(told, str)
    assert "names REGISTRY_TOKEN, EMPTY, which this runner does not have. Set it" in told


def test_only_certificates_are_read_from_a_ca_file(folder: OrderFolder, authority: Path) -> None:
    first = authority.read_text("ascii", "replace").partition("-----END CERTIFICATE-----")
    certificate = first[0][first[0].index("-----BEGIN") :] + first[1]
    mixed = folder.root / "mixed.pem"
    mixed.write_text(f"-----BEGIN PRIVATE KEY-----\nc2VjcmV0\n{certificate}\npassword\n")
    given = read_given(SetupEnvironment(ca_files=(str(mixed),)), {}, folder)
    assert isinstance(given, Given)
    bundle = Path(given.variables["SSL_CERT_FILE"]).read_text()
    assert bundle.strip().endswith(certificate)
    assert "PRIVATE" not in bundle
    assert "password" not in bundle
    assert bundle.count("BEGIN CERTIFICATE") > 1


@pytest.mark.parametrize("text", [None, "root:x:0:0\n", "-----BEGIN CERTIFICATE-----\n$$$\n"])
def test_a_file_without_certificates_is_named(folder: OrderFolder, text: str | None) -> None:
    place = folder.root / "ca.pem"
    if text is not None:
        place.write_text(text)
    told = read_given(SetupEnvironment(ca_files=(str(place),)), {}, folder)
    assert isinstance(told, str)
    assert str(place) in told
    assert text is None or text not in told
