"""A fault for every guard of what a job says itself of its end."""

from tests.testkit.planting import PlantedFault

TOLD = "scenarios/test_lost_runners.py::test_the_error_of_a_job_without_a_report_is_shown"

JOB_FAULTS = [
    PlantedFault(
        "shell/observe_runs.py",
        "        and entry.report is None\n",
        "",
        TOLD,
    ),
    PlantedFault(
        "adapters/github/reads.py",
        '                    if one.annotation_level == "failure"\n',
        "",
        TOLD,
    ),
    PlantedFault(
        "adapters/github/reads.py",
        "if one and not _SAYS_NOTHING.fullmatch(one.strip())]",
        "if one]",
        TOLD,
    ),
    PlantedFault(
        "core/decide/changes/settle_orders.py",
        'told = f" The job\'s message: {said}" if said else ""',
        'told = ""',
        TOLD,
    ),
    PlantedFault(
        "core/talk/now_text.py",
        'said = f" ({inert(lost, 700)})" if lost else ""',
        'said = ""',
        TOLD,
    ),
]
