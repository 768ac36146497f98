"""Faults in what keeps a wrong clock from stopping the work."""

from tests.testkit.planting import PlantedFault

KEPT = "test_clocks_that_jump.py::test_nothing_that_is_kept_waits_for_a_year"

CLOCK_FAULTS = [
    PlantedFault("adapters/store/engine.py", ", kept <= latest(now, most))", ")", KEPT),
    PlantedFault("adapters/store/journal.py", " <= latest(now, _LEASE)\n", "\n", KEPT),
    PlantedFault(
        "adapters/store/schedule.py",
        "as_text(until) <= known <= latest(until, _PAUSE_MOST)",
        "as_text(until) <= known",
        KEPT,
    ),
    PlantedFault(
        "adapters/store/schedule.py",
        'pauses.c.until.between(sa.bindparam("now"), sa.bindparam("latest"))',
        'pauses.c.until > sa.bindparam("now")',
        KEPT,
    ),
    PlantedFault(
        "core/state/troubles.py",
        " or is_of_another_time:",
        ":",
        "test_clocks_that_jump.py::test_a_trouble_of_another_time_begins_anew",
    ),
    PlantedFault(
        "core/journal/state.py",
        " <= now + 2 * DELAY_MOST",
        "",
        "test_clocks_that_jump.py::test_nothing_that_was_put_off_waits_for_a_year",
    ),
    PlantedFault(
        "core/state/rate_limits.py",
        "now - HOUR < s.at < now + MINUTE",
        "now - HOUR < s.at",
        "test_clocks_that_jump.py::test_nothing_that_was_put_off_waits_for_a_year",
    ),
    PlantedFault(
        "shell/sweep.py",
        "            vars(self).update(vars(anew))\n",
        "",
        "test_clocks_that_jump.py::test_a_sweep_whose_clock_goes_back_looks_on",
    ),
]
