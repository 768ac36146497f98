"""Specs of stories: small ones, in the plain format with requirement ids.

Requirements with different areas (`REQ-<AREA>-01`) become different changes. Deliberately absent:
specs of other formats; the stories about them bring their own.
"""


def requirement(area: str, after: str = "", says: str = "") -> str:
    """One requirement of an area; `after` is the area whose requirement it depends on."""
    depends = f"Depends on: REQ-{after}-01\n" if after else ""
    statement = says or f"The {area.lower()} SHALL work as described."
    return (
        f"### REQ-{area}-01: Make the {area.lower()} work\n{statement}\n{depends}\n"
        f"#### Scenario: The {area.lower()} is used\n"
        f"- **WHEN** somebody uses the {area.lower()}\n- **THEN** it works\n"
    )


def spec(*requirements: str, title: str = "A shop", front: str = "") -> str:
    """A spec of requirements; `front` is its front matter."""
    head = f"---\n{front}\n---\n" if front else ""
    return f"{head}# Spec: {title}\n\n## Requirements\n\n" + "\n".join(requirements)
