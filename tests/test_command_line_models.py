"""`headgate models explain`, what doctor says of models, and a localhub with a scripted model."""

import json
from pathlib import Path

import pytest

from tests.test_command_line import headgate


def test_each_model_role_is_shown_with_its_tier(tmp_path: Path) -> None:
    policy = tmp_path / ".github" / "headgate.yml"
    policy.parent.mkdir()
    policy.write_text("profile: economy\nmodels: {plan.domain: claude-sonnet-4-6}\n")
    done = headgate(
        *("models", "explain", "--json", "--model", "agent=claude-opus-4-6"),
        cwd=tmp_path,
        HEADGATE_MODEL_PLAN_MERGE="claude-haiku-4-5",
        ANTHROPIC_API_KEY="key-of-nobody",
    )
    assert done.returncode == 0, done.stderr
    tiers = {row["role"]: row["tier"] for row in json.loads(done.stdout)}
    assert tiers == {
        "plan.brief": "profile",
        "plan.domain": "repository policy",
        "plan.merge": "environment",
        "question": "profile",
        "digest": "profile",
        "summary": "profile",
        "review": "profile",
        "agent": "command line",
        "agent.small": "profile",
    }
    assert "key-of-nobody" not in done.stdout + done.stderr


def test_the_cost_of_a_turn_and_the_turns_within_the_limits_are_shown(tmp_path: Path) -> None:
    policy = tmp_path / ".github" / "headgate.yml"
    policy.parent.mkdir()
    policy.write_text("agent: {model: mine}\nmodels: {agent.small: claude-haiku-4-5}\n")
    rows = {
        row["role"]: row
        for row in json.loads(headgate("models", "explain", "--json", cwd=tmp_path).stdout)
    }
    assert rows["agent"]["dollars_per_turn"] == {"mine": "unknown"}
    haiku = rows["agent.small"]["dollars_per_turn"]["claude-haiku-4-5"]
    assert haiku == pytest.approx(0.005085)
    assert "dollars_per_turn" not in rows["digest"]
    told = headgate("models", "explain", cwd=tmp_path).stdout
    assert ("claude-haiku-4-5" in told, "…" in told) == (True, False)
    assert "reads 32,000 tokens from the cache" in " ".join(told.split())
    assert "Size S: at most $1.00 of claude-haiku-4-5, about 197 turns" in " ".join(told.split())
    assert "the price of mine is unknown" in " ".join(told.split())


def test_an_unknown_role_or_model_names_its_tier_and_is_an_error(tmp_path: Path) -> None:
    role = headgate("models", "explain", "--model", "plan.brif=x", cwd=tmp_path)
    assert role.returncode == 1
    assert "command line" in role.stdout
    assert "plan.brif" in role.stdout
    model = headgate("models", "explain", cwd=tmp_path, HEADGATE_MODEL_PLAN_BRIEF="claude-nope")
    assert model.returncode == 1
    assert "HEADGATE_MODEL_PLAN_BRIEF" in model.stdout
    found = headgate("doctor", "--json", cwd=tmp_path, HEADGATE_MODEL_PLAN_BRIEF="claude-nope")
    said = next(f for f in json.loads(found.stdout)["findings"] if f["name"] == "model")
    assert said["health"] == "missing"
    assert "claude-nope" in said["says"]


def test_the_doctor_lists_features_that_are_off_without_a_model(tmp_path: Path) -> None:
    found = headgate("doctor", "--json", cwd=tmp_path)
    said = next(f for f in json.loads(found.stdout)["findings"] if f["name"] == "model")
    assert said["health"] == "absent"
    assert "planning by a model" in said["says"]


def test_an_invalid_model_script_is_reported_with_its_line(tmp_path: Path) -> None:
    (tmp_path / "seed.yml").write_text("{}\n")
    (tmp_path / "model.yaml").write_text("version: 1\nscenes: []\n")
    done = headgate("localhub", "--seed", "seed.yml", "--model", "model.yaml", cwd=tmp_path)
    assert done.returncode == 2
    assert "model.yaml:2" in done.stderr
