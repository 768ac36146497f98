"""A fault for every guard of what is asked about the branches of quiet repositories."""

from tests.testkit.planting import PlantedFault

TIPS = "adapters_store/test_sweep_tips.py::"
ANSWERS = "adapters/test_github_tips.py::"
GRAPHQL = "localhub/test_graphql.py::"
QUIET = "scenarios/test_quiet_repositories.py::"
WATCH = "shell/watch_tips.py"
READS = "adapters/github/tip_reads.py"

TIP_FAULTS = [
    PlantedFault(
        "shell/sweep.py",
        "    _look_where_tips_moved(ports, beats)\n\n",
        "\n",
        QUIET + "test_a_commit_that_bypassed_headgate_opens_an_incident_within_a_minute",
    ),
    PlantedFault(
        "shell/sweep.py",
        "replace(rhythm, next_at=soon, every=beats.pace.full)",
        "rhythm",
        TIPS + "test_a_tip_that_moved_is_looked_at_within_a_minute_and_again_soon",
    ),
    PlantedFault(
        "core/state/served_branches.py",
        "    tips |= {name: branch.main for name, branch in state.branches.items()}\n",
        "",
        QUIET + "test_a_bypassing_commit_on_another_branch_opens_an_incident_within_a_minute",
    ),
    PlantedFault(
        WATCH,
        "told.get(branch, tip) for",
        "tip for",
        TIPS + "test_an_unexplained_tip_rings_only_once",
    ),
    PlantedFault(
        WATCH,
        "        if news and _is_news(ports, repository, news):\n",
        "        if news:\n",
        TIPS + "test_a_tip_that_the_journal_knows_does_not_ring",
    ),
    PlantedFault(
        WATCH,
        "tips={**known.tips, **news}, ",
        "",
        TIPS + "test_two_sweeps_ring_once_each",
    ),
    PlantedFault(
        WATCH,
        "if one.is_untold and not watch.watched[r].is_untold",
        "if one.is_untold or True",
        TIPS + "test_a_repository_missing_in_the_answer_does_not_ring_and_is_logged_once",
    ),
    PlantedFault(
        WATCH,
        " or state.away is not None:\n",
        ":\n",
        TIPS + "test_a_lost_repository_is_not_polled",
    ),
    PlantedFault(
        WATCH,
        " and ports.clock.now() < now + _ASKING:\n",
        ":\n",
        TIPS + "test_many_repositories_need_few_queries_outside_the_beat",
    ),
    PlantedFault(
        WATCH,
        "Turn(now + spread)",
        "Turn(now)",
        TIPS + "test_installations_take_turns_over_the_minute",
    ),
    PlantedFault(
        WATCH,
        "        if batches[-1] and refs > REFS_A_QUERY:\n",
        "        if False:\n",
        TIPS + "test_many_repositories_need_few_queries_outside_the_beat",
    ),
    PlantedFault(
        WATCH,
        "        _put_off(watch, batch, until)\n",
        "        pass\n    if False:\n",
        TIPS + "test_a_paused_installation_is_not_polled",
    ),
    PlantedFault(
        WATCH,
        "        _put_off(watch, batch, now + wait)\n        return ()\n",
        "        pass\n",
        TIPS + "test_the_sweep_waits_for_spent_graphql_points",
    ),
    PlantedFault(
        WATCH,
        "        ports.journal.pause(whom, now + limited.after)\n",
        "",
        TIPS + "test_a_secondary_limit_pauses_the_installation_as_for_any_call",
    ),
    PlantedFault(
        WATCH,
        "    except (Retryable, UserError) as failure:\n",
        "    except ZeroDivisionError as failure:\n",
        TIPS + "test_a_failure_of_one_installation_does_not_block_others",
    ),
    PlantedFault(
        WATCH,
        "    if is_single and turn.failures == 1 and batch.has_others:\n",
        "    if False:\n",
        TIPS + "test_a_failed_query_does_not_block_other_queries_of_the_installation",
    ),
    PlantedFault(
        WATCH,
        "    every = min(2 * turn.every, _TIPS_EVERY_AT_LEAST)\n",
        "    every = turn.every\n",
        TIPS + "test_without_graphql_a_look_every_ten_minutes_remains_and_is_logged",
    ),
    PlantedFault(
        WATCH,
        "    if turn.said != failure.sentence:\n",
        "    if True:\n",
        TIPS + "test_without_graphql_a_look_every_ten_minutes_remains_and_is_logged",
    ),
    PlantedFault(
        READS,
        ' or told.get("databaseId") != asked.repository:\n',
        ":\n",
        ANSWERS + "test_an_incomplete_entry_does_not_hide_others",
    ),
    PlantedFault(
        READS,
        'pattern="^[0-9a-f]{40}$", ',
        "",
        ANSWERS + "test_an_incomplete_entry_does_not_hide_others",
    ),
    PlantedFault(
        READS,
        "    except ValidationError:\n",
        "    except ZeroDivisionError:\n",
        ANSWERS + "test_an_incomplete_entry_does_not_hide_others",
    ),
    PlantedFault(
        READS,
        " if answer.is_out_of_points else limit\n",
        " if False else limit\n",
        ANSWERS + "test_spent_graphql_points_do_not_limit_rest",
    ),
    PlantedFault(
        READS,
        "        if answer.data is None:\n            raise _without_data(answer)\n",
        "        answer.data = answer.data or {}\n",
        ANSWERS + "test_an_answer_without_data_is_a_failure_with_a_sentence",
    ),
    PlantedFault(
        "adapters/github/graphql.py",
        " or names_limit(one.message):\n",
        ":\n",
        ANSWERS + "test_a_secondary_limit_is_recognised_with_any_status",
    ),
    PlantedFault(
        "adapters/github/api.py",
        '        if wait is not None and isinstance(answer, dict) and answer.get("errors"):\n',
        "        if False:\n",
        ANSWERS + "test_a_secondary_limit_is_recognised_with_any_status",
    ),
    PlantedFault(
        "adapters/github/app_tokens.py",
        "        return self._token(installation, None, Purpose.CONTENTS)\n",
        "        return self._token(installation, None, Purpose.READ)\n",
        ANSWERS + "test_the_token_can_only_read_contents_of_the_installation",
    ),
    PlantedFault(
        "localhub/graphql/repositories.py",
        '    context.hub.access.require(context.actor, repository, "contents", "read")\n',
        "",
        GRAPHQL + "test_refs_are_for_apps_that_may_read_contents",
    ),
    PlantedFault(
        "localhub/graphql/schema.py",
        "    if nodes > NODES_MAX:\n",
        "    if False:\n",
        GRAPHQL + "test_a_query_for_more_than_half_a_million_nodes_is_refused",
    ),
    PlantedFault(
        "localhub/rate_limits.py",
        "            window.used += points\n",
        "",
        GRAPHQL + "test_points_of_graphql_are_counted_apart_from_requests",
    ),
]
