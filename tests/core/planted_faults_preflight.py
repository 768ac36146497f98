"""A fault for every guard of what is protected, of rules that refuse landings, and of others' checks."""

from tests.testkit.planting import PlantedFault

POLICY = "core/test_policy.py::"

PREFLIGHT_FAULTS = [
    PlantedFault(
        "core/spec/policy.py",
        "            *(g.value for g in Guarded if g not in self.file.unprotect),\n",
        "",
        POLICY + "test_what_steers_tools_and_reviews_is_protected_unless_a_team_says_otherwise",
    ),
    PlantedFault(
        "core/spec/policy.py",
        " for g in Guarded if g not in self.file.unprotect),\n",
        " for g in Guarded),\n",
        POLICY + "test_only_what_is_named_is_unprotected",
    ),
]
