"""What each rule of triage wants, for `headgate spec check --explain RULE`."""

_RULES = {
    "marker": "A value is left open (TBD, [NEEDS CLARIFICATION: …]). Write the value, or answer the question.",
    "template": "The template's own text is still there. Replace it or delete the line.",
    "contradiction": "Two sentences about the same subject give different numbers, or say must and must "
    "not. Decide for one.",
    "dangling_ref": "The text names an id or number that this spec does not define. Correct it, or define "
    "it.",
    "duplicate_id": "One id is defined twice. Give one of them another id.",
    "duplicate_title": "Two requirements without ids have the same title. Give one of them another title.",
    "empty_body": "A requirement has a title but no text. Write what must be true.",
    "header_only": "Only the title says what is required. Write it in the text.",
    "maybe_requirement": "A sentence may be a requirement, or a list may be several requirements. Mark what is "
    "required with an id, MUST or SHALL.",
    "no_requirements": "The file has no certain requirement: no id, no MUST, no heading 'Requirements'. Add "
    "one of these.",
    "no_scenario": "A requirement has no acceptance criterion, so its result cannot be checked. Add a "
    "scenario or a criterion.",
    "no_then": "A scenario has a WHEN but no THEN. Write what must happen.",
    "archived_unplanned": "OpenSpec's archive finds a requirement that the plan does not, for example in a "
    "comment. Move or delete it.",
    "circle": "Requirements depend on each other in a circle. Write which one comes first.",
    "claimed_twice": "Another open pull request changes the same requirement of a main spec. One of the two "
    "must wait.",
    "same_requirement": "A number belongs to another text than before. Answer whether it is still the same "
    "requirement.",
    "marked_done": "A ticked box, a symbol or a status marks it as done, so it is not planned. To plan "
    "it, remove the mark.",
    "only_tasks": "Tick boxes were read as tasks, and a task is not a requirement. If they are "
    "requirements, mark them as such.",
    "out_of_scope_conflict": "The text also names a requirement as out of scope. Decide for one.",
    "undefined_term": "The actor here is not in the glossary of this spec. Add it, or use the word from the "
    "glossary.",
    "unseen_character": "The text has an invisible character, for example one of zero width. Delete it; agents "
    "get the text without it.",
    "tasks_done": "The task list of a spec has ticked tasks. A requirement whose tasks are all ticked is "
    "not planned. To plan it, remove a tick.",
    "mostly_unread": "Most of this page was not read as requirements. Mark what is required with an id, "
    "MUST or SHALL, or a heading 'Requirements'.",
    "binds_all": "These lines are about the quality of the whole. The agent of every change gets them; they are not "
    "planned alone.",
    "unread_list": "A chapter of requirements or features has a list, but none of its lines is a certain "
    "requirement. Mark the lines with an id, MUST or SHALL.",
    "vague": "A word such as 'quickly' means something different to each reader. Give a number or "
    "an example.",
}


def rule_names() -> tuple[str, ...]:
    return tuple(sorted(_RULES))


def explained(rule: str) -> str | None:
    """What the rule wants and how to silence it; None if there is no such rule."""
    if rule not in _RULES:
        return None
    return (
        f"{rule}: {_RULES[rule]}\nIf the text is correct, add this comment at the line or above "
        f"it; the comment stays in the spec:\n<!-- headgate: ignore {rule} -->"
    )
