"""Steps are recognised in the languages of Gherkin, and not in ordinary sentences."""

import subprocess
import sys

import pytest

from bot.core.spec.scenario_steps import split_steps

STEPS = {
    "English": ("Given", "When", "Then"),
    "English, EARS": ("WHILE", "IF", "THEN"),
    "French": ("Étant donné que", "Lorsqu’", "Alors"),
    "Spanish": ("Dado que", "Cuando", "Entonces"),
    "Portuguese": ("Dado", "Quando", "Então"),
    "Polish": ("Zakładając, że", "Gdy", "Wtedy"),
    "German": ("Angenommen", "Wenn", "Dann"),
    "Russian": ("Дано", "Если", "Тогда"),
    "Hungarian": ("Amennyiben", "Amikor", "Akkor"),
    "Chinese": ("假设", "当", "那么"),
    "Japanese": ("前提", "もし", "ならば"),
    "Korean": ("조건", "만약", "그러면"),
    "Ukrainian": ("Припустимо", "Коли", "Тоді"),
    "Indonesian": ("Diketahui", "Ketika", "Kemudian"),
    "Persian": ("فرض کنید", "هنگامی", "آنگاه"),
    "Thai": ("กำหนดให้", "เมื่อ", "ดังนั้น"),
}
BOLD_STEPS = STEPS | {
    "Czech": ("Pokud", "Když", "Pak"),
    "Danish": ("Givet", "Når", "Så"),
    "Finnish": ("Oletetaan", "Kun", "Niin"),
    "Dutch": ("Gegeven", "Als", "Dan"),
    "Romanian": ("Dat fiind", "Când", "Atunci"),
    "Turkish": ("Diyelim ki", "Eğer ki", "O zaman"),
    "Vietnamese": ("Cho", "Khi", "Thì"),
    "Hebrew": ("בהינתן", "כאשר", "אז"),
    "Hindi": ("यदि", "जब", "तब"),
}


@pytest.mark.parametrize("language", STEPS)
def test_words_that_begin_a_line_open_steps(language: str) -> None:
    lines = [f"- {word} {text}" for word, text in zip(STEPS[language], "abc", strict=True)]
    assert split_steps(lines) == (("a",), ("b",), ("c",))


@pytest.mark.parametrize("language", BOLD_STEPS)
def test_bold_words_open_steps(language: str) -> None:
    words = [f"**{word}** {text}" for word, text in zip(BOLD_STEPS[language], "abc", strict=True)]
    assert split_steps([" ".join(words)]) == (("a",), ("b",), ("c",))


@pytest.mark.parametrize(
    "line",
    [
        "**Data**: kept for 5 days",
        "**Date** of birth",
        "**Logo**: blue",
        "Data of guests is kept",
        "Do not ask twice",
        "Als ein Gast kommt",
        "If a crossing is full, it is refused",
        "Jeśli gość płaci",
    ],
)
def test_labels_and_ordinary_sentences_open_no_step(line: str) -> None:
    assert split_steps([line]) == ((), (), ())


def test_gherkin_is_loaded_when_a_spec_is_read_and_not_before() -> None:
    program = (
        "import sys, bot.core.spec.read as r; print('gherkin' in sys.modules);"
        "r.read_spec('a.feature', {'a.feature': b'Feature: f'}); print('gherkin' in sys.modules)"
    )
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60
    )
    assert run.stdout.split() == ["False", "True"]
