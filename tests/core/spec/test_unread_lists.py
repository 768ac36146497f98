"""An unread list in a chapter of requirements is reported."""

from bot.core.spec.read import read_document
from bot.core.values.spec_model import Severity

PAGE = """\
# Shop

## 1. Functional requirements

- **FR-1**: The shop MUST take orders.
- **FR-2**: The shop MUST send receipts.
- **FR-3**: The shop MUST count its stock.

## 2. Interface requirements

### 2.1 Screens

- A list of orders
- A page for each order

### 2.2 Buttons

- One to pay
- One to go back

## 3. Future features

- A telephone app
- A voice
- A robot

## 4. Data requirements

### 4.1 Fields

- name
- address
- town

## 5. Roadmap

### 5.1 Features

- March
- April
- May
"""


def test_an_unread_list_is_reported_once_per_chapter() -> None:
    document = read_document("docs/shop.md", PAGE.encode())
    assert [r.source_id for r in document.requirements] == ["FR-1", "FR-2", "FR-3"]
    told = [f for f in document.findings if f.code == "unread_list"]
    assert [(f.line, f.severity) for f in told] == [(11, Severity.INFO)]
    assert "'2. Interface requirements' lists 4 things" in told[0].question


def test_a_completely_read_page_has_no_finding() -> None:
    text = PAGE.partition("## 2.")[0]
    document = read_document("docs/shop.md", text.encode())
    assert "unread_list" not in {f.code for f in document.findings}


def test_unread_lists_of_a_page_without_a_title_are_reported() -> None:
    text = PAGE.partition("\n\n")[2]
    told = [
        f for f in read_document("docs/shop.md", text.encode()).findings if f.code == "unread_list"
    ]
    assert [f.line for f in told] == [9]


def _told(path: str, text: str) -> list[int]:
    return [f.line for f in read_document(path, text.encode()).findings if f.code == "unread_list"]


def test_unread_fields_of_things_are_not_reported() -> None:
    text = "# Shop\n\n## Functional requirements\n\n- **FR-1**: The shop MUST take orders.\n\n### Orders\n\n"
    label = "Order fields:\n\n- number\n- day\n- amount\n"
    code = "### Rows\n\n- `id` - a number\n- `day` - a date\n- `sum` - a price\n"
    table = "| Field | Type | Note |\n|---|---|---|\n| day | date | a |\n| sum | price | b |\n| id | text | c |\n"
    assert _told("docs/shop.md", text + label) == []
    assert _told("docs/shop.md", text + code) == []
    assert _told("docs/shop.md", text + table) == []
    assert _told("docs/shop.md", text + "- number\n- day\n- amount\n") == [7]


def test_unread_lists_about_building_and_testing_are_not_reported() -> None:
    text = "# Shop\n\n## Functional requirements\n\n- **FR-1**: The shop MUST take orders.\n\n## "
    items = "\n\n- One\n- Two\n- Three\n"
    assert _told("docs/shop.md", text + "Technical requirements" + items) == []
    assert _told("docs/shop.md", text + "Testing requirements" + items) == []
    assert _told("docs/shop.md", text + "Screen requirements" + items) == [7]


def test_unread_chapters_of_a_requirements_page_are_reported() -> None:
    text = "# Requirements\n\n## Orders\n\n- Take an order\n- Send a receipt\n\n## Workflow\n\n1. Take\n2. Pay\n3. Send\n"
    assert _told("docs/shop.md", text) == [8]
    with_ids = text.replace("- Take", "- **FR-1**: Take").replace("- Send", "- **FR-2**: Send")
    assert _told("docs/shop.md", with_ids) == []
