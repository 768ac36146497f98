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
        FILES + "test_a_sweep_over_many_files_says_nothing",
    ),
    PlantedFault(
        LIKELY,
        "        if count > 1:\n",
        "        if count:\n",
        FILES + "test_files_with_the_words_come_with_those_that_change_beside_them",
    ),
    PlantedFault(
        LIKELY,
        "        score.pop(path, None)\n",
        "        pass\n",
        FILES + "test_what_the_plan_names_is_not_said_twice_and_its_company_is",
    ),
    PlantedFault(
        LIKELY,
        ' and not path.startswith(".")',
        "",
        FILES + "test_neither_specs_nor_files_for_machines_are_named",
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
        POLICY + "test_what_is_wrong_is_said_at_its_line",
    ),
]
