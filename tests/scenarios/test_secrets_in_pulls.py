"""A pull that contains a key: the gate `secrets` stops it in the queue without showing the key."""

from pathlib import Path

from tests.scenarios.test_people_queue_pulls import open_pull
from tests.testkit.house import house

POLICY = "version: 1\nquiet_seconds: 0\ngates:\n  secrets:\n    builtin: secrets\n"
# One that push protection lets pass; in two halves, so that no scanner takes this file for a leak.
TOKEN = "shp" + "at_" + "0123456789abcdef" * 2


def test_a_pull_with_a_key_leaves_the_queue(tmp_path: Path) -> None:
    with house(tmp_path, policy=POLICY) as shop:
        shop.work()
        number, _ = open_pull(shop, "keys", {"src/keys.py": f'ONE = 1\nKEY = "{TOKEN}"\n'})
        marked, _ = open_pull(
            shop, "fixture", {"a.py": f'K = "{TOKEN}"  # pragma: allowlist secret\n'}
        )
        shop.settle()
        shop.ask(number, "/headgate queue")
        shop.work()
        shop.ask(marked, "/headgate queue")
        shop.work()

        said = "\n".join(shop.comments(number))
        assert "src/keys.py:2 Token of a provider" in said
        files = shop.main_files()
        assert "src/keys.py" not in files
        assert "a.py" in files
        (evicted,) = shop.events("PullEvicted")
        assert TOKEN not in repr(evicted)
        assert TOKEN not in said
