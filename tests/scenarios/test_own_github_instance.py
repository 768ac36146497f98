"""An own GitHub Enterprise Server: all links lead there."""

import re
from collections.abc import Iterator

from tests.scenarios.test_specs_as_issues import label, write
from tests.testkit.house import House
from tests.testkit.specs import requirement, spec

ADDRESS = re.compile(r"https?://[^\s)\"'>`]+")


def words(shop: House) -> Iterator[str]:
    """All our texts in issues, pulls, comments, checks, reports and commits."""
    for issue in (*shop.issues(), *shop.pulls()):
        yield f"{issue['title']}\n{issue['body']}"
        yield from shop.comments(int(str(issue["number"])))
    for sha in shop.git(shop.clone(), "rev-list", "--all").split():
        for check in shop.checks(sha).values():
            yield f"{check.title}\n{check.summary}\n{check.text}"
        yield shop.commit_text(sha)


def test_links_and_authors_use_the_own_instance(shop: House) -> None:
    assert shop.settings.github_api_url.endswith("/api/v3")
    shop.start(spec(requirement("TILL")))
    shop.work()
    label(shop, write(shop, f"## Requirements\n\n{requirement('DOOR')}"))

    said = "\n".join(words(shop))

    links = ADDRESS.findall(said)
    assert {
        link for link in links if not link.startswith((shop.url, shop.ports.server_url))
    } == set()
    assert any(link.startswith(f"{shop.url}/{shop.full_name}/") for link in links)
    assert "Co-authored-by: eve <" in said
    assert "github.com" not in said
