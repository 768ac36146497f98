"""A runner asks GitHub for its labels and Headgate's server for an answer and the time."""

from collections.abc import Mapping
from pathlib import Path

from action.harness.doctor import Asked, Finding, Health, examine
from tests.testkit.house import house


def findings(asked: Asked) -> Mapping[str, Finding]:
    return {finding.name: finding for finding in examine(asked)}


def test_the_doctor_reads_the_label_from_github_and_calls_the_server(tmp_path: Path) -> None:
    with house(tmp_path) as shop:
        shop.runner.do_all()
        asked = Asked(
            {
                **{"GITHUB_TOKEN": shop.token, "RUNNER_NAME": "story1"},
                "HEADGATE_PLAIN_HTTP": "loopback",
            },
            server=shop.settings.public_url,
            api=f"{shop.url}/api/v3",
            repository=shop.full_name,
        )
        found = findings(asked)
        assert found["labels"].health is Health.FINE, found["labels"]
        assert found["egress"].health is Health.FINE
        assert found["clock"].health is Health.FINE

        other = findings(Asked(asked.environment, api=asked.api, repository="team/shop", label="x"))
        assert other["labels"].health is Health.MISSING
        assert "add the label x" in other["labels"].how
        named = {**asked.environment, "RUNNER_NAME": "nobody"}
        away = findings(Asked(named, api=asked.api, repository="team/shop"))
        assert away["labels"].says == "team/shop has no runner nobody"
