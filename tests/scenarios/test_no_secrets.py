"""After a whole run with failures, no secret is anywhere that it should not be."""

import logging
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from action.order import AgentOrder
from bot.localhub.model import TokenKind
from tests.testkit.house import House
from tests.testkit.hub_setup import SECRET
from tests.testkit.runner import writes_a_file
from tests.testkit.specs import requirement, spec


def secrets_of(shop: House, leases: list[str]) -> dict[str, str]:
    """All secrets, by name."""
    key = shop.settings.app_key()
    lines = [line for line in key.splitlines() if len(line) == 64]
    tokens = {
        f"token {number} of {token.actor.kind}": secret
        for number, (secret, token) in enumerate(shop.hub.state.tokens.items())
        if token.actor.kind is not TokenKind.USER
    }
    model_key = shop.settings.model_key
    assert model_key is not None
    return {
        "webhook secret": SECRET,
        "model key": model_key.get_secret_value(),
        "private key": lines[len(lines) // 2],
        **{f"lease {number}": lease for number, lease in enumerate(leases)},
        **tokens,
    }


def leaks(secrets: dict[str, str], texts: dict[str, bytes]) -> list[str]:
    """The secrets that are in a text, with their places."""
    return [
        f"{name} in {where}"
        for where, text in texts.items()
        for name, secret in secrets.items()
        if secret.encode() in text
    ]


def files_below(folder: Path) -> Iterator[Path]:
    """Every file that Headgate keeps."""
    return (p for p in folder.rglob("*") if p.is_file())


def breaks_once(order: AgentOrder, tree: Path) -> None:
    """Breaks the gate in the first attempt."""
    writes_a_file(order, tree)
    broken = tree / "broken"
    broken.unlink(missing_ok=True) if order.retry else broken.write_text("oops\n")


@pytest.mark.slow
def test_no_secret_is_stored_published_or_logged(
    shop: House, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    caplog.set_level(logging.DEBUG)
    shop.runner.agent = breaks_once
    tracking = shop.start(spec(requirement("TILL"), requirement("DOOR", after="TILL")))
    leases = []
    while (lease := shop.runner.take()) is not None:
        leases.append(lease.grant.lease_token)
        if len(leases) == 1:
            bad = {"Authorization": f"Bearer {lease.grant.lease_token}x"}
            shop.http.post(f"{lease.server}/runner/orders/o1/report", content="{}", headers=bad)
        shop.runner.do(lease)
        shop.settle()
    shop.ask(tracking, "/headgate why")
    shop.push({"broken": "again\n"}, "Break main")
    shop.work()
    shop.sweep()
    assert shop.issue(tracking)["state"] == "closed"

    secrets = secrets_of(shop, leases)
    assert len(secrets) > 10
    texts: dict[str, bytes] = {
        str(path.relative_to(shop.settings.var)): path.read_bytes()
        for path in files_below(shop.settings.var)
    }
    assert any(name.startswith("blobs") for name in texts)
    assert any("journal" in name for name in texts)
    for issue in (*shop.issues(), *shop.pulls()):
        number = int(issue["number"])
        said = "\n".join((shop.body(number), *shop.comments(number)))
        texts[f"issue {number}"] = said.encode()
    for line in shop.state.ledger:
        texts[f"checks at {line.sha}"] = repr(shop.checks(line.sha)).encode()
        texts[f"commit {line.sha}"] = shop.commit_text(line.sha).encode()
    texts["journal"] = "\n".join(shop.every_event()).encode()
    printed = capfd.readouterr()
    texts["log"] = "\n".join((caplog.text, printed.out, printed.err)).encode()
    texts["environment"] = repr(dict(os.environ)).encode()
    planted = {"a slip": f"the key is {secrets['model key']}".encode()}
    assert leaks(secrets, planted) == ["model key in a slip"]
    assert leaks(secrets, texts) == []


def test_the_model_key_is_sent_only_with_an_agents_lease(shop: House) -> None:
    shop.start(spec(requirement("TILL")))
    agent = shop.runner.take()
    assert agent is not None
    assert agent.grant.model is not None
    shop.runner.do(agent)
    shop.settle()
    gates = shop.runner.take()
    assert gates is not None

    assert agent.grant.model.api_key == "model-key-of-the-house"
    assert "model-key-of-the-house" not in agent.order.model_dump_json()
    assert gates.grant.model is None
    assert "model-key-of-the-house" not in repr(agent.job)
