"""A fault for every guard of words, policies and the store, and the test that dies of it."""

from tests.testkit.planting import PlantedFault

SPECS = "core/test_stories_of_specs.py::"
TEXT = "core/test_talk_text.py::"
BODIES = "core/test_talk_bodies.py::"
POLICY = "core/test_policy.py::"
COMMANDS = "core/test_commands.py::"
ANSWERS = "core/test_answers.py::"
WEBHOOK = "core/test_webhook.py::"
STORE = "adapters_store/"

WORDS = [
    PlantedFault(
        "core/decide/people/run_commands.py",
        "    elif comment.is_edited:\n",
        "    elif False:\n",
        ANSWERS + "test_an_edited_comment_is_refused",
    ),
    PlantedFault(
        "core/decide/people/approve_plan.py",
        "since < written_at or (since == written_at and not seen)",
        "since <= written_at",
        "core/test_stories_of_specs.py::TestApproval"
        "::test_an_approval_in_the_same_second_counts_for_the_older_revision",
    ),
    PlantedFault(
        "core/decide/people/approve_plan.py",
        'return "" if visible == newest else',
        'return "" if visible is not None else',
        SPECS
        + "TestApproval::test_an_edit_before_approval_is_revision_2_and_refuses_old_approvals",
    ),
    PlantedFault(
        "core/decide/people/run_commands.py",
        "    if not role.covers(needed):\n",
        "    if not role:\n",
        ANSWERS + "test_commands_need_the_role_of_the_table",
    ),
    PlantedFault(
        "core/decide/people/run_commands.py",
        "row.place is Place.TRACKING and change is not None",
        "row.place is Place.CHANGE and change is not None",
        ANSWERS + "test_tracking_commands_are_refused_on_a_changes_issue",
    ),
    PlantedFault(
        "core/decide/people/run_commands.py",
        "    return comment.author_is_person and not known and not is_old\n",
        "    return not known and not is_old\n",
        "core/test_answers.py::test_a_comment_by_an_app_is_ignored",
    ),
    PlantedFault(
        "core/decide/people/run_commands.py",
        "read.commands[:COMMANDS_PER_COMMENT_MAX]:",
        "read.commands:",
        ANSWERS + "test_only_the_first_ten_commands_are_run",
    ),
    PlantedFault(
        "core/talk/commands.py",
        'elif token.type == "inline" and not quoted:',
        'elif token.type == "inline":',
        COMMANDS + "test_commands_inside_a_quote_are_ignored",
    ),
    PlantedFault(
        "core/talk/commands.py",
        '{"code_inline", "html_inline", "image", "link_open"}',
        '{"code_inline"}',
        COMMANDS + "test_only_the_authors_own_lines_count",
    ),
    PlantedFault(
        "core/talk/commands.py",
        "_kept = lru_cache(maxsize=128)(parse_commands)",
        "_kept = parse_commands",
        COMMANDS + "test_a_comment_is_parsed_once_from_its_discovery_to_its_answer",
    ),
    PlantedFault(
        "core/talk/commands.py",
        'if _NAME in body.replace("\\x00", "").lower() else ()',
        "",
        COMMANDS + "test_a_comment_that_names_no_command_is_not_parsed",
    ),
    PlantedFault(
        "core/talk/text.py",
        "(?:(?!{begins}).)*?",
        ".*?",
        TEXT + "TestRegions::test_text_after_a_begin_marker_without_end_is_kept",
    ),
    PlantedFault(
        "core/talk/text.py",
        "region(name, cut(text, room))",
        "region(name, text)",
        TEXT + "TestRegions::test_a_full_body_keeps_peoples_words",
    ),
    PlantedFault(
        "core/talk/text.py",
        '.replace("|", "&#124;")',
        '.replace("|", "\\\\|")',
        TEXT + "test_words_in_a_cell_are_escaped",
    ),
    PlantedFault(
        "core/talk/text.py",
        '.replace("@", f"@{_GAP}").replace("<!--", f"<{_GAP}!--")',
        '.replace("<!--", f"<{_GAP}!--")',
        TEXT + "test_a_subject_is_one_escaped_line",
    ),
    PlantedFault(
        "core/talk/text.py",
        '.replace("`", "ˋ")',
        "",
        TEXT + "test_words_in_a_code_span_are_escaped",
    ),
    PlantedFault(
        "core/talk/text.py",
        '    fence = "`" * (longest + 1)\n',
        '    fence = "`" * 3\n',
        TEXT + "test_a_code_block_cannot_be_closed_by_its_content",
    ),
    PlantedFault(
        "core/talk/report.py",
        "    if unknown:\n",
        "    if not unknown and total < 0:\n",
        BODIES + "TestReport::test_a_cost_without_a_price_is_unknown",
    ),
    PlantedFault(
        "core/talk/checks.py",
        "Conclusion.SUCCESS if green else Conclusion.FAILURE",
        "Conclusion.SUCCESS",
        BODIES + "TestCheckRuns::test_only_a_pass_is_a_success",
    ),
    PlantedFault(
        "core/spec/yaml_bounds.py",
        "    if left[0] < 0:\n",
        "    if left[0] < -10_000:\n",
        POLICY + "test_a_small_file_cannot_expand_without_limit",
    ),
    PlantedFault(
        "core/spec/policy.py",
        "model_validate_json(text, strict=True)",
        "model_validate_json(text)",
        POLICY + "test_a_mistake_is_reported_at_its_line",
    ),
    PlantedFault(
        "core/spec/policy.py",
        "            if part in (node.lc.data or ()):\n                line",
        "            if part:\n                line",
        POLICY + "test_unusual_yaml_is_accepted",
    ),
    PlantedFault(
        "core/state/webhook.py",
        '    if not secret or not signature or not signature.startswith("sha256="):\n',
        '    if not signature or not signature.startswith("sha256="):\n',
        WEBHOOK + "test_a_signature_covers_exactly_the_body_bytes",
    ),
    PlantedFault(
        "core/state/webhook.py",
        '.encode(errors="replace")',
        ".encode()",
        WEBHOOK + "test_a_signature_covers_exactly_the_body_bytes",
    ),
    PlantedFault(
        "core/state/webhook.py",
        "    return value if 0 < value < 2**63 else 0",
        "    return value",
        WEBHOOK + "test_a_delivery_is_read_as_hints",
    ),
]

STORED = [
    PlantedFault(
        "adapters/store/journal.py",
        "        if held.rowcount != 1:\n",
        "        if held.rowcount > 1:\n",
        STORE + "test_journal.py::TestLease::"
        "test_the_former_holder_of_an_expired_lease_cannot_write",
    ),
    PlantedFault(
        "adapters/store/snapshots.py",
        "snapshots.c.fold_version == FOLD_VERSION, ",
        "",
        STORE + "test_snapshots.py::test_a_snapshot_of_another_fold_version_is_discarded",
    ),
    PlantedFault(
        "adapters/store/journal.py",
        "                and as_text(now) < row.until <= latest(now, _LEASE)\n",
        "",
        STORE + "test_journal.py::TestLease::"
        "test_the_former_holder_of_an_expired_lease_cannot_write",
    ),
    PlantedFault(
        "adapters/store/engine.py",
        "        if _may_pass(failure):\n",
        "        if False:\n",
        "adapters_store/test_engine.py::test_a_writer_that_meets_a_lock_is_retryable",
    ),
    PlantedFault(
        "adapters/store/engine.py",
        '"BEGIN IMMEDIATE"',
        '"BEGIN"',
        "adapters_store/test_engine.py::test_a_writer_locks_the_database_before_it_writes",
    ),
    PlantedFault(
        "adapters/store/migrations/versions/m0001_first.py",
        "        sqlite_autoincrement=True,\n",
        "",
        STORE + "test_journal.py::TestHintsAndWakeUps::test_hint_numbers_are_never_reused",
    ),
    PlantedFault(
        "adapters/store/order_store.py",
        "                    orders.c.used_at.is_(None),\n",
        "",
        STORE
        + "test_order_store.py::TestLeasing::test_an_order_cannot_be_taken_again_after_its_token_was_used",
    ),
    PlantedFault(
        "adapters/store/order_store.py",
        "                    orders.c.revoked.is_(False),\n                    sa.or_",
        "                    sa.or_",
        STORE + "test_order_store.py::TestLeasing::test_a_revoked_order_cannot_be_taken",
    ),
    PlantedFault(
        "adapters/store/order_store.py",
        ", orders.c.report.is_(None))",
        ")",
        STORE + "test_order_store.py::TestReports::test_the_first_report_counts",
    ),
    PlantedFault(
        "adapters/store/order_store.py",
        "sa.or_(orders.c.workflow_run.is_(None), orders.c.workflow_run == run),",
        "",
        STORE
        + "test_order_store.py::TestLeasing::test_another_workflow_run_does_not_get_the_order",
    ),
    PlantedFault(
        "adapters/store/order_store.py",
        "        except sa.exc.IntegrityError:\n",
        "        except KeyError:\n",
        STORE
        + "test_order_store.py::TestLeasing::test_placing_an_order_again_gives_no_second_lease",
    ),
    PlantedFault(
        "adapters/blobs/folder.py",
        "        if not _DIGEST.fullmatch(digest):\n            return None\n",
        "",
        STORE + "test_blobs.py::test_a_name_that_is_not_a_digest_finds_no_file",
    ),
    PlantedFault(
        "adapters/doorbell/redis_queue.py",
        '"1", nx=True, ex',
        '"1", ex',
        STORE + "test_doorbell.py::test_several_rings_for_a_repository_make_one_waiting_job",
    ),
    PlantedFault(
        "adapters/doorbell/redis_queue.py",
        "socket_timeout=_TIMEOUT_SECONDS",
        "socket_timeout=30",
        STORE + "test_doorbell.py::test_a_redis_server_that_never_answers_is_given_up_quickly",
    ),
]

OUTER_FAULTS = [*WORDS, *STORED]
