"""Faults in what keeps a wrong clock from stopping the work."""

from tests.testkit.planting import PlantedFault

KEPT = "test_clock_jumps.py::test_stored_delays_never_last_a_year_after_a_clock_jump"

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
        "test_clock_jumps.py::test_a_trouble_with_an_impossible_time_is_counted_from_now",
    ),
    PlantedFault(
        "core/journal/state.py",
        " <= now + 2 * DELAY_MOST",
        "",
        "test_clock_jumps.py::test_deferred_work_never_waits_a_year_after_a_clock_jump",
    ),
    PlantedFault(
        "core/state/rate_limits.py",
        "now - HOUR < s.at < now + MINUTE",
        "now - HOUR < s.at",
        "test_clock_jumps.py::test_deferred_work_never_waits_a_year_after_a_clock_jump",
    ),
    PlantedFault(
        "shell/sweep.py",
        "            vars(self).update(vars(anew))\n",
        "",
        "test_clock_jumps.py::test_a_sweep_continues_after_the_clock_went_back",
    ),
]
