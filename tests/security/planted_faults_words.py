"""Faults in what reads the words of others: the model's proxy, texts, the queue, leases, reviews."""

from tests.testkit.planting import PlantedFault

PROXY = "test_model_attacks.py::"
FORKS = "test_forks_in_the_queue.py::"
TEXTS = "test_hostile_text.py::"
LAX = "test_ambiguous_requests.py::"
WORDS = "test_untrusted_text.py::"
REVIEWER = "test_prompt_injection_in_diffs.py::"

WORD_FAULTS = [
    # What is asked of the model.
    PlantedFault(
        "action/model_request.py",
        "        if key not in known:\n",
        "        if False:\n",
        PROXY + "test_requests_to_fetch_run_or_call_anything_do_not_reach_the_provider",
    ),
    PlantedFault(
        "action/model_headers.py",
        " if b in _BETAS)",
        " if b)",
        PROXY + "test_only_betas_that_are_known_and_the_query_of_a_client_reach_the_provider",
    ),
    PlantedFault(
        "action/model_request.py",
        "most = min(self.answer_tokens, answer_tokens)",
        "most = self.answer_tokens",
        PROXY + "test_an_answer_is_limited_to_the_remaining_tokens",
    ),
    PlantedFault(
        "harness/model_proxy.py",
        "threading.Semaphore(BODIES_MAX)",
        "threading.Semaphore(2 * BODIES_MAX)",
        PROXY + "test_the_number_of_concurrent_bodies_is_limited",
    ),
    PlantedFault(
        "harness/model_proxy.py",
        "        path, query = self._asked()\n",
        "        self.rfile.peek(1)  # type: ignore[attr-defined]\n        path, query = self._asked()\n",
        PROXY + "test_path_and_budget_come_before_the_body",
    ),
    PlantedFault(
        "action/model_request.py",
        "from_json(body, cache_strings=False)",
        "json.loads(body)",
        "test_ambiguous_requests.py::test_a_request_is_plain_json",
    ),
    PlantedFault(
        "action/model_request.py",
        '        and (kind != "base64" or ":" not in str(source.get("data")))\n',
        "",
        LAX + "test_an_address_in_an_unexpected_field_is_refused",
    ),
    PlantedFault(
        "action/model_request.py",
        '    for key in ("image_url", "file_data"):\n',
        '    for key in ("image_url",):\n',
        LAX + "test_an_address_in_an_unexpected_field_of_a_response_request_is_refused",
    ),
    PlantedFault(
        "action/model_request.py",
        "    for key in sorted(holder.keys() & _FAR_KEYS):\n",
        "    for key in ():\n",
        LAX + "test_an_address_in_an_unexpected_field_of_a_response_request_is_refused",
    ),
    PlantedFault(
        "action/model_request.py",
        'if isinstance(said, str) and not said.startswith("#"):',
        "if False:",
        LAX + "test_an_address_in_an_unexpected_field_is_refused",
    ),
    PlantedFault(
        "action/model_headers.py",
        'if _HEADER_VALUE.fullmatch(said.get(name, ""))',
        "if name in said",
        PROXY + "test_an_agent_cannot_say_that_the_model_is_away",
    ),
    PlantedFault(
        "action/model_headers.py",
        '        "content-type": "application/json",\n',
        '        "content-type": said.get("content-type", "application/json"),\n',
        LAX + "test_a_header_has_only_one_reading",
    ),
    PlantedFault(
        "harness/sandbox_socket_server.py",
        "return self._places.acquire(blocking=False)",
        "return True",
        "test_sandbox_connections.py::test_the_number_of_connections_of_an_agent_is_limited",
    ),
    # What the bot says.
    PlantedFault(
        "core/talk/text.py",
        r"|(?:https?|ftp):(?=//)",
        r"|\b(?:https?|ftp):(?=//)",
        WORDS + "test_an_address_is_inactive_after_any_letter",
    ),
    PlantedFault(
        "core/talk/text.py",
        r"|w(?=ww\.)|",
        r"|www\.|",
        WORDS + "test_an_address_is_inactive_after_any_letter",
    ),
    PlantedFault(
        "core/talk/text.py",
        " if _BLOCK.match(safe) else safe",
        " if False else safe",
        WORDS + "test_quoted_text_never_starts_a_markdown_block",
    ),
    PlantedFault(
        "core/talk/text.py",
        "if found is None or any(",
        "if found is None or all(",
        WORDS + "test_no_address_of_a_person_skips_checks",
    ),
    # Who leases.
    PlantedFault(
        "entry/web/oidc.py",
        "except (jwt.PyJWTError, ValueError) as problem:",
        "except ValueError as problem:",
        "test_oidc_tokens.py::test_an_unusual_list_of_keys_accepts_no_forged_token",
    ),
    PlantedFault(
        "shell/orders.py",
        "            if self.count > self._bytes_max:\n",
        "            if False:\n",
        "test_web_admission.py::test_a_bundle_is_taken_in_pieces_up_to_its_limit",
    ),
    # Texts that cost time.
    PlantedFault(
        "shell/observe_pulls.py",
        "body = self._ports.readings.get(key)",
        "body = None",
        TEXTS + "test_a_text_that_takes_too_long_ends_as_a_finding_and_is_not_read_again",
    ),
    PlantedFault(
        "shell/observe_pulls.py",
        "                self._ports.doorbell.ring_reading(facts.id, wanted)\n",
        "                self.read(facts, number, at)\n"
        "                self._ports.doorbell.ring_reading(facts.id, wanted)\n",
        TEXTS + "test_a_command_is_answered_while_a_pull_waits_to_be_read",
    ),
    PlantedFault(
        "shell/observe_pulls.py",
        "                is_strangers = touched.caps is not None\n",
        "                is_strangers = False\n",
        TEXTS + "test_pulls_of_strangers_are_parsed_last",
    ),
    PlantedFault(
        "adapters/doorbell/redis_queue.py",
        "            queue = self._strangers if reading.is_strangers else self._readings\n",
        "            queue = self._readings\n",
        "adapters_store/test_doorbell.py::test_parsing_of_untrusted_texts_has_its_own_queue",
    ),
    PlantedFault(
        "entry/rq_worker.py",
        "_READINGS = (READING_QUEUE_NAME, STRANGERS_QUEUE_NAME)\n",
        "_READINGS = (STRANGERS_QUEUE_NAME, READING_QUEUE_NAME)\n",
        "adapters_store/test_doorbell.py::test_parsing_of_untrusted_texts_has_its_own_queue",
    ),
    # People's pulls in the queue.
    PlantedFault(
        "core/decide/people/queue_pull.py",
        "if not why and not pull.head_sha.startswith(request.head):",
        "if False:",
        FORKS + "test_code_that_no_approver_has_read_is_not_run",
    ),
    PlantedFault(
        "core/talk/queue_text.py",
        "if head is not None and pull.head_sha != head:",
        "if False:",
        FORKS + "test_a_push_to_the_fork_removes_the_pull_from_the_queue",
    ),
    PlantedFault(
        "core/spec/policy.py",
        "            egress=(),\n",
        "",
        FORKS + "test_a_strangers_code_gets_no_variables_and_no_network",
    ),
    PlantedFault(
        "core/spec/policy.py",
        "runs_on=self.file.forks.runs_on or {},",
        "runs_on=self.file.runs_on,",
        FORKS + "test_a_strangers_code_does_not_run_on_the_teams_own_runners",
    ),
    # Reviews.
    PlantedFault(
        "core/prompts/review_prompt.py",
        'mark = f"material-{digest(material)}"',
        'mark = "material-0"',
        REVIEWER + "test_a_diff_cannot_close_the_mark_around_it",
    ),
    PlantedFault(
        "graded/rounds.py",
        "if missing := sorted(set(chunk.paths) - set(said.files)):",
        "if missing := []:",
        REVIEWER + "test_a_manipulated_model_cannot_skip_a_file_or_invent_a_finding",
    ),
    PlantedFault(
        "core/state/reviews.py",
        "change = state.change_with(pull)\n    is_open = change is not None and change.pull == pull and",
        "change = state.change_with(pull) or next(iter(state.changes.values()), None)\n"
        "    is_open = change is not None and",
        "core/test_stories_of_threads.py::test_threads_of_peoples_own_pulls_are_not_touched",
    ),
    # What strangers say.
    PlantedFault(
        "core/decide/people/run_commands.py",
        "above = asked_too_much(decision.state, decision.policy, comment) if stranger else 0",
        "above = 0",
        "core/test_stories_of_approvals.py::TestStrangers::test_a_reader_is_told_once_about_the_command_limit",
    ),
    PlantedFault(
        "core/talk/text.py",
        'without_unseen(text).replace("<!--", f"<{_GAP}!--").rstrip()',
        "without_unseen(text).rstrip()",
        "test_untrusted_text.py::test_quoted_text_never_opens_an_html_comment_or_details",
    ),
]
