"""What the sweep logs while a service it needs is unavailable."""

from bot.entry.sweep import Waits


def test_the_same_reason_is_logged_once_a_minute_and_a_new_one_at_once() -> None:
    waits = Waits()
    said = [(second, waits.is_news("The disk is full.", second)) for second in range(0, 130, 10)]
    assert [second for second, is_news in said if is_news] == [0, 60, 120]
    assert waits.is_news("GitHub does not answer.", 121)
