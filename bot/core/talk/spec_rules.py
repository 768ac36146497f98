"""What each rule of triage wants, for `headgate spec check --explain RULE`."""

_RULES = {
    "marker": "A value is left open (TBD, [NEEDS CLARIFICATION: …]). Write the value, or answer the question.",
    "template": "The template's own text is still there. Replace it or delete the line.",
    "contradiction": "Two sentences about one subject give two numbers, or say must and must not.",
    "dangling_ref": "An id or number is named that this spec does not define.",
    "duplicate_id": "One id is defined twice. Give one of them another id.",
    "duplicate_title": "Two requirements without ids have one title. Give one of them another title.",
    "empty_body": "A requirement has a title and no text. Say what must be true.",
    "header_only": "Only the title says what must be. Say it in the text.",
    "maybe_requirement": "A sentence may mean a requirement, or a list several, and nothing makes it certain.",
    "no_requirements": "Nothing in the file is surely a requirement: no id, no MUST, no heading of requirements.",
    "no_scenario": "A requirement has no acceptance criterion, so nobody can see that it holds.",
    "no_then": "A scenario says when and not what happens then.",
    "archived_unplanned": "OpenSpec's archive reads a requirement where the plan sees none, as in a comment.",
    "circle": "Requirements depend on one another in a circle. Say which comes first.",
    "claimed_twice": "Another open pull changes the same requirement of a main spec. One of the two waits.",
    "same_requirement": "A number stands on another text. Say whether it is still the same requirement.",
    "marked_done": "A ticked box, a sign or a status says that it is done, so it is not planned. Remove the mark to plan it.",
    "only_tasks": "Tick boxes were read as tasks; a task is no requirement.",
    "out_of_scope_conflict": "A requirement is also said to be out of scope.",
    "undefined_term": "Somebody acts here who is not in the glossary of this spec.",
    "unseen_character": "A character is not seen, as one of no width. Delete it; agents are told the text without it.",
    "tasks_done": "Tasks are ticked in the list beside a spec. What all its tasks are ticked for is not planned; take a tick away to plan it.",
    "mostly_unread": "Far more of a page was left out than read. Mark what binds: an id, MUST or SHALL, or a heading 'Requirements'.",
    "binds_all": "Lines about the quality of the whole go to the agent of every change. They are not planned alone.",
    "unread_list": "A chapter of requirements or features has a list, and none of its lines is surely a requirement.",
    "vague": "A word such as 'quickly' means something else to each reader. Give a number or an example.",
}


def rule_names() -> tuple[str, ...]:
    return tuple(sorted(_RULES))


def explained(rule: str) -> str | None:
    """What the rule wants and how to silence it; None if there is no such rule."""
    if rule not in _RULES:
        return None
    return (
        f"{rule}: {_RULES[rule]}\n"
        "If the text is right as it is, say so at the line or above it; the comment stays in the spec:\n"
        f"<!-- headgate: ignore {rule} -->"
    )
