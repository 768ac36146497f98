"""Many numbered parts with long lists are requirements as wholes; a few, or short ones, are lists."""

from bot.core.spec.read import read_document


def _page(parts: int, items: int, beside: int = 0) -> str:
    told = "".join(
        f"### 1.{n} Part {n}\n\n" + "".join(f"- It keeps thing {k}.\n" for k in range(items)) + "\n"
        for n in range(1, parts + 1)
    )
    more = "## 2. Further requirements\n\n" + "".join(f"- It must do {k}.\n" for k in range(beside))
    must = "- It must begin.\n\n"
    return f"# Shop\n\n## 1. Functional requirements\n\n{must}{told}{more if beside else ''}"


def _count(text: str) -> int:
    return len(read_document("docs/shop.md", text.encode()).requirements)


def test_many_parts_with_long_lists_are_wholes() -> None:
    assert _count(_page(12, 8)) == 12


def test_a_few_parts_or_short_lists_are_read_by_the_item() -> None:
    assert _count(_page(6, 8)) == 1 + 6 * 8
    assert _count(_page(12, 3)) == 1 + 12 * 3


def test_lists_mostly_outside_the_parts_are_read_by_item() -> None:
    assert _count(_page(12, 3, beside=60)) == 1 + 12 * 3 + 60
