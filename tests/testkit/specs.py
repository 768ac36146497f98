"""Small specs in the plain format with requirement ids.

Requirements of different areas (`REQ-<AREA>-01`) become different changes.
"""


def requirement(area: str, after: str = "", says: str = "") -> str:
    """`after` is the area whose requirement this one depends on."""
    depends = f"Depends on: REQ-{after}-01\n" if after else ""
    statement = says or f"The {area.lower()} SHALL work as described."
    return (
        f"### REQ-{area}-01: Make the {area.lower()} work\n{statement}\n{depends}\n"
        f"#### Scenario: The {area.lower()} is used\n"
        f"- **WHEN** somebody uses the {area.lower()}\n- **THEN** it works\n"
    )


def spec(*requirements: str, title: str = "A shop", front: str = "") -> str:
    """`front` is the front matter."""
    head = f"---\n{front}\n---\n" if front else ""
    return f"{head}# Spec: {title}\n\n## Requirements\n\n" + "\n".join(requirements)
