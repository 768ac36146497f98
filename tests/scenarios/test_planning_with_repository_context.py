"""The repository context of a planner: files with their symbols, and other specs."""

from pathlib import Path

from tests.testkit.model import change, house_with_model, plan, scene
from tests.testkit.specs import requirement, spec

CODE = "class Cart:\n    def add(self, thing):\n        return thing\n\n\ndef _hidden():\n    return 1\n"
MAIN_SPEC = (
    "# Cart\n\n## Purpose\nWhat the cart does, told for everybody who builds on it.\n\n"
    "## Requirements\n\n### Requirement: The cart counts\nThe cart SHALL count.\n\n"
    "#### Scenario: Count\n- **WHEN** a thing is added\n- **THEN** it is counted\n"
)


def test_the_prompt_shows_related_code_and_specs_and_counts_the_rest(tmp_path: Path) -> None:
    files = {
        "src/shop/cart.py": CODE,
        "src/shop/broken_cart.py": "def broken(:\n",
        "docs/letters.txt": "Nothing to do with it.\n",
        "openspec/specs/cart/spec.md": MAIN_SPEC,
    }
    shown = [
        r"src/shop/ \(2 files\)",
        r"src/shop/cart\.py: Cart\(add\)\n",
        r"src/shop/broken_cart\.py\n",
        r"openspec/specs/cart/spec\.md: The cart counts",
    ]
    answer = plan(change("cart", "REQ-CART-01"))
    with house_with_model(tmp_path, scene("plan", answer, task=shown), files=files) as shop:
        issue = shop.plan(spec(requirement("CART")))
        # The spec beside it was read meanwhile.
        shop.forward(seconds=6)
        shop.ring_due()
        body = shop.body(issue)
        assert "Made by a model" in body
