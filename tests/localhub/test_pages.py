"""The web pages, and the Markdown on them."""

import pytest

from bot.localhub.web.diagram import draw
from bot.localhub.web.markdown import render
from tests.localhub.kit import Box


def test_every_html_url_of_the_api_is_a_page(box: Box) -> None:
    app = box.as_app().get_repo("octo/demo")
    main = app.get_branch("main").commit.sha
    app.create_git_ref("refs/heads/feature/x", main)
    made = app.create_file("src/a.py", "Add a", "print(1)\n", branch="feature/x")
    issue = app.create_issue("A <b>bold</b> plan", body="See #1.\n\n<script>alert(1)</script>")
    comment = issue.create_comment("done")
    pull = app.create_pull("main", "feature/x", title="A pull", body="text")
    run = app.create_check_run(
        "gate", made["commit"].sha, conclusion="success", output={"title": "t", "summary": "**s**"}
    )
    details = f"{app.html_url}/actions/runs/5/job/7"
    box.hub.actions_host.record_job_check("octo/demo", main, "build", 7, "queued", None, details)
    folder = app.get_contents("src", ref="feature/x")
    assert isinstance(folder, list)
    urls = [
        app.html_url,
        f"{app.html_url}/issues",
        f"{app.html_url}/pulls",
        f"{app.html_url}/commits",
        f"{app.html_url}/commits/feature/x",
        f"{app.html_url}/actions",
        f"{app.html_url}/actions/runs/5",
        details,
        issue.html_url,
        comment.html_url,
        pull.html_url,
        pull.diff_url,
        made["commit"].html_url,
        made["content"].html_url,
        run.html_url,
        folder[0].html_url,
        folder[0].download_url,
        app.owner.html_url,
        box.url,
    ]
    with box.rest() as browser:
        for url in urls:
            answer = browser.get(url)
            assert answer.status_code == 200, url
            assert "<script" not in answer.text
        page = browser.get(issue.html_url).text
        assert "A &lt;b&gt;bold&lt;/b&gt; plan" in page
        assert browser.get(f"{app.html_url}/issues/99").status_code == 404
        assert browser.get(f"{box.url}/octo/none").status_code == 404


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<details>\n<summary>More</summary>\n\n*in*\n\n</details>", "<details><summary>More<"),
        ("<details open>\n\nx\n\n</details>", "<details open><p>x</p>"),
        ("a <!-- marker --> b", "<p>a  b</p>"),
        ("| a |\n|---|\n| 1<br>2 |", "<td>1<br />"),
        ("thanks @ada, a@b.example", '<span class="mention">@ada</span>, a@b.example'),
        ("<!-- marker: 1 -->\n\ntext", "<p>text</p>"),
        ("<img src=x onerror=alert(1)>", "&lt;img src=x onerror=alert(1)&gt;"),
        ("see #12", '<a href="/o/r/issues/12">#12</a>'),
        ("`#12`", "<code>#12</code>"),
        ("- [ ] todo\n- [x] done", "☐ todo"),
        ("| a | b |\n|---|---|\n| 1 | 2 |", "<table>"),
        ("[x](javascript:alert(1))", "[x](javascript:alert(1))"),
        ("```mermaid\nsequenceDiagram\n```", "<pre><code>sequenceDiagram"),
        ("What? <sub>Each <b>is a case</sub>", "&lt;sub&gt;Each"),
        ("What? <sub>Each is a case.</sub>", "What? <sub>Each is a case.</sub>"),
        ("> [!NOTE]\n> No key.", "<strong>Note</strong><br />\nNo key."),
    ],
)
def test_markdown_is_rendered_without_scripts(text: str, expected: str) -> None:
    assert expected in render(text, "/o/r")


def test_a_flowchart_is_drawn_with_its_nodes_edges_and_labels() -> None:
    text = 'graph TD\n  a["Core <x>"] -->|needs| b(Shell)\n  a --> c[Queue]\n  b --> c\n  d\n'
    drawing = draw(text)
    assert drawing is not None
    assert drawing.count('class="node"') == 4
    assert drawing.count('class="edge"') == 3
    assert "Core &lt;x&gt;" in drawing
    assert ">needs<" in drawing


def test_a_flowchart_has_its_colours_and_breaks_long_labels() -> None:
    text = (
        'graph TD\n  c0["Gear has a kind#59; or two of them, as far as anybody knows"]:::landed\n'
        '  c1["Next"]\n  c0 -.-> c1\n  classDef landed fill:#dafbe1,stroke:#1a7f37,color:#1f2328\n'
        "  classDef odd fill:url(x),stroke:red\n"
    )
    drawing = draw(text)
    assert drawing is not None
    assert 'style="fill:#dafbe1;stroke:#1a7f37"' in drawing
    assert 'class="edge dotted"' in drawing
    assert drawing.count("<tspan") == 4
    assert "Gear has a kind; or two" in drawing
    assert "url(x)" not in drawing


def test_a_node_is_drawn_above_the_nodes_it_points_to() -> None:
    drawing = draw("graph TD\n a --> d\n b --> c\n a\n b\n")
    assert drawing is not None
    assert drawing.index(">d<") < drawing.index(">c<")


def test_a_flowchart_with_a_cycle_is_drawn() -> None:
    assert draw("graph LR\na --> b\nb --> a") is not None
    assert draw("graph TD\na ~~~ what is this") is None
