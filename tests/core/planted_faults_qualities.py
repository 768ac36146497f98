"""Faults in what binds every change, and the test that each must make fail."""

from tests.testkit.planting import PlantedFault

BINDS = "core/spec/test_binding_qualities.py::test_qualities_without_ids_bind_beside_requirements_with_ids"
KEPT = "(*constraints_of(items), *qualities(sections, drafts)),"
SHOWN = (
    "test_command_line_missing_input.py::test_constraints_for_every_change_are_shown_and_counted"
)

QUALITY_FAULTS = [
    PlantedFault(
        "core/spec/formats/spec_kit.py", KEPT, "constraints_of(items),", f"{BINDS}[spec-kit]"
    ),
    PlantedFault("core/spec/formats/req_id.py", KEPT, "constraints_of(items),", f"{BINDS}[req-id]"),
    PlantedFault(
        "core/spec/formats/qualities.py",
        "    if label and is_future(label[1]):\n",
        "    if False:\n",
        f"{BINDS}[req-id]",
    ),
    PlantedFault(
        "core/spec/formats/qualities.py",
        '    if not said.rstrip("*_").endswith((":", "：")):\n',
        "    if True:\n",
        f"{BINDS}[req-id]",
    ),
    PlantedFault(
        "entry/commands/spec.py",
        "        if spec.constraints:\n",
        "        if False:\n",
        SHOWN,
    ),
    PlantedFault(
        "entry/commands/spec.py",
        "    for constraint in document.constraints:\n",
        "    for constraint in ():\n",
        SHOWN,
    ),
]
