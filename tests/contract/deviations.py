"""What localhub may do although GitHub does not document it, each with its reason.

A line is (where, what) as a failing test prints them, with `*` for any text. Nothing is listed here
that a change of localhub could avoid.
"""

from fnmatch import fnmatchcase

# Where, what: why.
ALLOWED: dict[tuple[str, str], str] = {
    ("webhook *", "*app.events[[][]] breaks its schema:"): (
        "The webhooks' schemas of an App list the names of the events of some years ago; "
        "GitHub sends what the App has subscribed to, sub-issues and dependencies too."
    ),
    ("webhook issue-dependencies-*", " breaks its schema:"): (
        "They require an organization, which a repository of a person does not have."
    ),
    ("webhook workflow-run-in-progress", "undocumented key workflow_run.display_title"): (
        "The schemas of the same run when it is requested and when it has completed name it."
    ),
    ("GET /app/installations 200", "[[][]].account breaks its schema:"): (
        "It asks for all of a user and an enterprise at once; the schema of one installation asks "
        "for either."
    ),
    ("GET /app/installations 200", "undocumented key [[][]].client_id"): (
        "The schema of one installation names it."
    ),
    ("GET /repos/{owner}/{repo}/actions/runs", "query parameter created is wrong:"): (
        "It takes the ranges of GitHub's search syntax, as its text says and its schema does not."
    ),
    ("GET /repos/{owner}/{repo}/pulls/{pull_number} 200", "is application/vnd.github.diff"): (
        "The media type is described in prose only."
    ),
    ("GET /repos/{owner}/{repo}/pulls 200", "*labels[[][]].description breaks its schema:"): (
        "A label without a description has null there; the schemas of one pull and of labels say so."
    ),
    ("GET /repos/{owner}/{repo}/*check-runs*", '*conclusion breaks its schema: "stale"*'): (
        "GitHub's text says that a check run becomes `stale`, as the schema of a suite lists it; the "
        "schema of a run does not."
    ),
    ("POST /repos/*", "is a status that GitHub does not document"): (
        '307 for a write to a former name: prose only ("Best practices", "Follow redirects").'
    ),
    ("webhook repository-*", "is no event of GitHub"): (
        "It is one; the slice was cut before localhub sent it. The next cut takes it along."
    ),
    ("webhook pull-request-review-comment-created", "is no event of GitHub"): (
        "It is one; the slice was cut before localhub sent it. The next cut takes it along."
    ),
    ("webhook pull-request-review-thread-*", "is no event of GitHub"): (
        "It is one; the slice was cut before localhub sent it. The next cut takes it along."
    ),
    ("webhook merge-group-*", "is no event of GitHub"): (
        "It is one; the slice was cut before localhub sent it. The next cut takes it along."
    ),
    ("webhook installation-target-renamed", "is no event of GitHub"): (
        "It is one; the slice was cut before localhub sent it. The next cut takes it along."
    ),
    ("GET /repos/mona/tide/extension", "is no operation of GitHub"): (
        "A test of extensions serves this itself."
    ),
}


def is_allowed(where: str, what: str, detail: str) -> bool:
    """Whether a finding is listed here, with or without its detail."""
    said = (what, f"{what} {detail}")
    return any(
        fnmatchcase(where, place) and any(fnmatchcase(one, words) for one in said)
        for place, words in ALLOWED
    )
