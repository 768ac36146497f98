"""Model providers as the server's owner sets them: an address and a key for each model."""

from pathlib import Path

import pytest

from bot.core.values.prompt import Prompt, PromptPart
from bot.entry.model_settings import make_model, server_models
from bot.entry.settings import Settings
from bot.localhub.model_server.script import Script
from bot.localhub.model_server.server import running
from bot.ports import UserError

QUESTION = Prompt(
    system="You plan.",
    parts=(PromptPart(text="Plan."),),
    tool="submit",
    tool_says="Hand it in.",
    tool_schema='{"type": "object"}',
    answer_tokens_max=1_000,
)


def saying(number: int) -> Script:
    turn = {"calls": [{"tool": "submit", "input": {"n": number}}]}
    return Script.model_validate({"version": 1, "scenes": [{"name": "one", "turns": [turn]}]})


def settings(folder: Path, text: str, monkeypatch: pytest.MonkeyPatch) -> Settings:
    monkeypatch.chdir(folder)
    monkeypatch.delenv("HEADGATE_MODEL_KEY", raising=False)
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    monkeypatch.setenv("HEADGATE_MODEL_PROVIDERS", text)
    return Settings()


def test_each_model_is_called_at_its_own_provider(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with running(saying(1)) as one, running(saying(2)) as two:
        text = (
            f'{{"first": {{"base_url": "{one}", "key": "k1", "models": ["m1"]}},'
            f' "second": {{"base_url": "{two}", "key": "k2", "models": ["m2", "m3"]}}}}'
        )
        mine = settings(tmp_path, text, monkeypatch)
        model = make_model(mine)
        assert model is not None
        assert [model.ask(m, QUESTION).text for m in ("m1", "m2", "m3")] == [
            '{"n": 1}',
            '{"n": 2}',
            '{"n": 2}',
        ]
        with pytest.raises(UserError, match="no key for m9"):
            model.ask("m9", QUESTION)
    offered = server_models(mine, {})
    assert (offered.can_ask, offered.offered) == (True, ("m1", "m2", "m3"))


def test_without_a_key_there_is_no_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert make_model(settings(tmp_path, "{}", monkeypatch)) is None
