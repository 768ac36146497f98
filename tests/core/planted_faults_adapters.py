"""Faults in what an order names of files, and in what a policy says of agents."""

from tests.testkit.planting import PlantedFault

FILES = "prompts/test_likely_files.py::"
POLICY = "test_policy.py::"
LIKELY = "core/prompts/likely_files.py"

ADAPTER_CORE_FAULTS = [
    PlantedFault(
        LIKELY,
        "        if len(commit) > _TOGETHER_MAX:\n",
        "        if False:\n",
        FILES + "test_a_commit_over_many_files_relates_none_of_them",
    ),
    PlantedFault(
        LIKELY,
        "        if count > 1:\n",
        "        if count:\n",
        FILES + "test_likely_files_include_matching_files_and_files_changed_with_them",
    ),
    PlantedFault(
        LIKELY,
        "        score.pop(path, None)\n",
        "        pass\n",
        FILES + "test_files_named_by_the_plan_are_not_repeated_but_related_ones_are_listed",
    ),
    PlantedFault(
        LIKELY,
        ' and not path.startswith(".")',
        "",
        FILES + "test_specs_and_configuration_files_are_not_likely_files",
    ),
    PlantedFault(
        "core/spec/policy.py",
        "        return tuple(g.name for g in self.gates if g.command and self.file.gates[g.name].quick)\n",
        "        return tuple(g.name for g in self.gates if self.file.gates[g.name].quick)\n",
        POLICY + "test_only_gates_with_a_line_are_quick",
    ),
    PlantedFault(
        "core/spec/policy.py",
        "    if kind in (AgentKind.BUILTIN, AgentKind.COMMAND) and agent.mcp:\n",
        "    if False:\n",
        POLICY + "test_a_mistake_is_reported_at_its_line",
    ),
]
