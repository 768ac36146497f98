"""Each effect class says its urgency and cost, and one function performs it, or nothing starts."""

import importlib


def test_every_effect_class_is_complete_and_has_a_performer() -> None:
    # Imported here, so that a class or a table that is not complete fails this test.
    effects = importlib.import_module("bot.core.journal.effects")
    perform = importlib.import_module("bot.shell.perform")

    assert set(perform.PERFORMERS) == set(effects.EFFECT_CLASSES)
