"""Slugs that fit a branch and titles that people can read."""

import re

import pytest

from bot.core.plan.deterministic import plan
from bot.core.plan.leads import shared_lead
from bot.core.plan.phrases import shortened, spoken
from bot.core.plan.slugs import SLUG_MAX, slugify
from bot.core.spec.read import read_spec
from bot.core.spec.triage.words import language_of
from tests.core.plan.kit import requirement, spec


@pytest.mark.parametrize(
    ("text", "slug"),
    [
        ("Pay by card", "pay-by-card"),
        ("User's `login` (v2)", "users-login-v2"),
        ("Größe ändern", "grosse-andern"),
        ("Złoto i łódź", "zloto-i-lodz"),
        ("feature.lock", "feature-lock"),
        ("../../etc", "etc"),
        ("用户登录", ""),
        (
            "Хешировать каждый новый пароль клиента перед сохранением",
            "kheshirovat-kazhdyi-novyi-parol-klienta-pered-sokhraneniem",
        ),
        # What is too long loses its small words, then a phrase whose end is cut off.
        (
            "Receive a notification for the acceptance of an order by the owner",
            "receive-notification-for-acceptance-of-order-by-owner",
        ),
        (
            "Control who can access documents and what they can do with them",
            "control-who-can-access-documents",
        ),
        (
            "View detailed revenue analytics across the different time periods of a year",
            "view-detailed-revenue-analytics",
        ),
        (
            "Receive notifications whenever somebody I follow publishes another post",
            "receive-notifications-whenever-somebody-i-follow-publishes",
        ),
        ("word " * 20, "-".join(["word"] * 12)),
        ("x" * 100, "x" * SLUG_MAX),
        ("", ""),
    ],
)
def test_a_slug_is_ascii_words(text: str, slug: str) -> None:
    assert slugify(text) == slug


def _slugs(*titles: str, domain: str = "cart") -> list[str]:
    requirements = [requirement(f"Ü{n}", domain, title=t) for n, t in enumerate(titles)]
    return [c.slug for c in plan(spec(*requirements)).changes]


def test_a_whole_domain_has_its_name_and_a_piece_says_more() -> None:
    assert _slugs("Pay", "Return") == ["cart"]
    titles = [f"Step {letter}" for letter in "abcdefgh"]
    assert _slugs(*titles) == ["cart-step-a", "cart-step-e"]
    assert _slugs(*titles, domain="") == ["step-a", "step-e"]


def test_slugs_are_unique() -> None:
    requirements = [requirement(n, f"domain {n}", title="Pay") for n in "ABC"]
    slugs = [c.slug for c in plan(spec(*requirements)).changes]
    assert slugs == ["domain-a-pay", "domain-b-pay", "domain-c-pay"]
    same = [requirement(n, domain, title="Pay") for n, domain in [("A", "x y"), ("B", "x-y")]]
    assert [c.slug for c in plan(spec(*same)).changes] == ["x-y-pay", "x-y-pay-2"]


@pytest.mark.parametrize(
    ("title", "slug"),
    [
        ("비밀번호 저장", "bimilbeonho-jeojang"),
        ("Вход в систему", "vkhod-v-sistemu"),
        ("ログイン", "roguin"),
        ("Σύνδεση", "syndese"),
    ],
)
def test_letters_with_a_latin_spelling_are_transliterated(title: str, slug: str) -> None:
    assert [c.slug for c in plan(spec(requirement("FR-7", title=title))).changes] == [slug]


def test_a_title_without_latin_letters_gets_the_name_of_the_spec() -> None:
    one = requirement("FR-7", title="用户必须能够在二十四小时内登录")
    assert [c.slug for c in plan(spec(one)).changes] == ["shop"]
    many = [requirement(f"FR-{n}", "会话", title="登录") for n in range(8)]
    assert [c.slug for c in plan(spec(*many)).changes] == ["shop-part-1", "shop-part-2"]
    named = requirement("FR-1", "第三方登录（OAuth）", title="登录")
    assert [c.slug for c in plan(spec(named, many[0])).changes] == ["oauth", "shop-part-1"]


def test_a_sentence_is_named_by_what_must_be_done() -> None:
    sentence = "The system MUST allow every user to sign in with a password and a code"
    one = requirement("FR-001", "login", title=sentence)
    (change,) = plan(spec(one)).changes
    assert (change.slug, change.title) == (
        "login",
        "Sign in with a password and a code",
    )


@pytest.mark.parametrize(
    ("group", "title", "slug"),
    [
        ("Till", "Count the coins", "till-count-the-coins"),
        ("Humidity", "Read the humidity every minute", "read-the-humidity-every-minute"),
        ("Time zone", "Show times in the zone of the clinic", "time-zone"),
        ("Step 12", "Show times in the zone of the clinic", "show-times-in-the-zone-of-the-clinic"),
    ],
)
def test_the_slug_of_one_requirement_is_short(group: str, title: str, slug: str) -> None:
    one, other = requirement("A", group, title=title), requirement("B", "Other", title="Weigh")
    assert plan(spec(one, other)).changes[0].slug == slug


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ("As a reader, I want to search notes, so that I find them.", "Search notes"),
        ("En tant que gérant, je veux ajouter un bien afin de le suivre", "Ajouter un bien"),
        ("WHEN a user saves THEN the system SHALL store the note", "Store the note"),
        ("系统必须允许用户通过邮箱注册账号，并发送邮件", "通过邮箱注册账号，并发送邮件"),
        ("5.1 Gestion des biens", "Gestion des biens"),
        ("Epic 2: Reservations", "Reservations"),
        ("User Story 2 - Share an album (Priority: P2)", "Share an album"),
        ("FR-004: `is_open` MUST be true", "is_open is true"),
        ("3-Step Checkout", "3-Step Checkout"),
    ],
)
def test_a_name_is_short_and_in_the_authors_words(said: str, name: str) -> None:
    assert shortened(said) == name


def test_a_change_of_several_requirements_is_named_by_their_shared_words() -> None:
    sums = [requirement(f"A{n}", title=f"Refund voucher {x}") for n, x in enumerate("abcd")]
    rest = [requirement(f"B{n}", title=f"Open door {x}") for n, x in enumerate("efgh")]
    planned = plan(spec(*sums, *rest)).changes
    assert [(c.slug, c.title) for c in planned] == [
        ("refund-voucher", "Refund voucher"),
        ("open-door", "Open door"),
    ]


def test_a_title_names_the_domain_or_the_spec() -> None:
    requirements = [requirement(n, "user-auth", title=f"Do {n}") for n in "ABC"]
    (change,) = plan(spec(*requirements)).changes
    assert change.title == "User auth"
    (whole,) = plan(spec(requirement("A"), requirement("B"))).changes
    assert whole.title == "Shop"


def test_long_names_end_with_a_whole_word() -> None:
    (one,) = plan(spec(requirement("A", title="very " * 50))).changes
    assert one.title == "Very" + " very" * 13


@pytest.mark.parametrize(
    ("title", "slug"),
    [
        # Half of a name is none.
        ("スロットの初期化と管理", "shop"),
        ("ドキュメント翻訳", "shop"),
        ("サーバー", "saba"),
        ("シャツ", "shatsu"),
        ("エラーハンドリングとリカバリ", "erahandoringu-rikabari"),
        ("つくる", "tsukuru"),
    ],
)
def test_kana_are_romanised_without_grammar_particles(title: str, slug: str) -> None:
    assert [c.slug for c in plan(spec(requirement("FR-7", title=title))).changes] == [slug]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (
            "System MUST keep a signed-in guest of the house authenticated for the duration of a visit",
            "Keep a signed-in guest of the house authenticated",
        ),
        (
            "System MUST handle failures of the door at night gracefully and provide clear messages to all",
            "Handle failures of the door at night gracefully",
        ),
        ("use the till in my native language, so…", "Use the till in my native language"),
        ("the system to check my card at the door", "Check my card at the door"),
        ("第一阶段：核心功能", "核心功能"),
        ("CONTINUE TO open at nine", "Continue to open at nine"),
    ],
)
def test_a_name_ends_where_a_part_of_the_sentence_ends(text: str, name: str) -> None:
    assert shortened(text, 60) == name


def test_requirements_with_a_shared_beginning_are_named_by_it() -> None:
    titles = [
        "Return a missing door error and make none",
        "Return a missing door error for keys",
        "Return a missing door error for cards",
    ]
    requirements = [requirement(f"FR-{n}", title=t) for n, t in enumerate(titles * 3)]
    first, second = (c.title for c in plan(spec(*requirements)).changes)
    assert first == "Return a missing door error (FR-0)"
    assert second == "Return a missing door error (FR-5)"


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ("System shall debounce events ✅", "Debounce events"),
        ("Arqui\u00adtectura", "Arquitectura"),
        ("[Keys](types.md#keys) of the house", "Keys of the house"),
        ("The clerk MUST close the till", "Clerk closes the till"),
        ("Doors MUST be shut at night", "Doors are shut at night"),
        ("The after stage MUST run late", "After stage runs late"),
        ("A door that is open MUST ring", "A door that is open MUST ring"),
        ("System shall allow rules to be enabled", "Allow rules to be enabled"),
        ("Authenticated users can open a door", "Open a door"),
        ("L'utilisateur peut créer un compte", "Créer un compte"),
        ("Usuário pode criar, editar e arquivar contas", "Criar, editar e arquivar contas"),
        ("系統必須限制每天的次數", "限制每天的次數"),
        ("Admin: manage keys", "Admin: manage keys"),
        ("使用者故事 2 - 編輯地點 (Priority: P2)", "編輯地點"),
    ],
)
def test_a_name_is_a_title_without_the_obligation(said: str, name: str) -> None:
    assert shortened(said) == name


def test_changes_with_equal_titles_get_ids() -> None:
    alone = [
        requirement(f"FR-{n}", domain, title="Open the door")
        for n, domain in enumerate(("Functional requirements", "Core features"))
    ]
    assert [c.title for c in plan(spec(*alone)).changes] == [
        "Open the door (FR-0)",
        "Open the door (FR-1)",
    ]


def test_a_piece_of_a_group_names_its_part() -> None:
    long = "Keep the ledger of every single door and window and gate number"
    titles = [f"{long} {letter}" for letter in "qrstuvwx"]
    mixed = [t if n % 2 else t[::-1] for n, t in enumerate(titles)]
    requirements = [requirement(f"FR-{n}", "Doors", title=t) for n, t in enumerate(mixed)]
    first, second = (c.title for c in plan(spec(*requirements)).changes)
    assert (first[:13], second[:13]) == ("Doors (1/2): ", "Doors (2/2): ")


def test_few_names_are_listed_and_many_end_with_an_ellipsis() -> None:
    def title(*titles: str) -> str:
        found = plan(spec(*(requirement(f"A{n}", title=t) for n, t in enumerate(titles))))
        other = requirement("Z", "Far away", title="Else")
        both = plan(spec(*(requirement(f"A{n}", title=t) for n, t in enumerate(titles)), other))
        assert len(found.changes) == 1
        return next(c.title for c in both.changes if "A0" in c.requirements[0])

    assert title("Board", "Moves", "Prizes") == "Board, Moves and Prizes"
    many = (
        "Sort every list of keys",
        "Paint a wall again",
        "Wash windows at noon",
        "Feed all cats",
    )
    assert title(*many, "Lay bricks by the hundred", "Water every plant in the yard") == (
        "Sort every list of keys, Paint a wall again, Wash windows at noon, Feed all cats, …"
    )


@pytest.mark.parametrize(
    ("heading", "title"),
    [
        ("管理画面要件（お知らせ）", "管理画面（お知らせ）"),
        ("Требования к безопасности", "Требования к безопасности"),
        ("Requisitos funcionales", "Uno y Otro"),
        ("3.1 Functional Requirements", "Uno and Otro"),
    ],
)
def test_a_heading_that_says_more_than_requirements_names_the_group(
    heading: str, title: str
) -> None:
    two = [requirement(n, heading, title=n) for n in ("Uno", "Otro")]
    planned = spec(*two, requirement("Z", "Far away", title="Else"))
    if title == "Uno y Otro":
        planned = planned.with_documents(d.replace(language="es") for d in planned.documents)
    assert next(c.title for c in plan(planned).changes if len(c.requirements) == 2) == title


def test_a_group_in_latin_letters_names_the_branch() -> None:
    one = requirement("태그 조회", "tags", title="태그 목록 조회")
    other = requirement("Z", "Far away", title="Else")
    assert "tags" in [c.slug for c in plan(spec(one, other)).changes]


def test_a_latin_word_in_a_chinese_sentence_is_not_used_as_a_slug() -> None:
    titles = ("isSuperAdmin 的人", "顯示名單")
    many = [requirement(f"FR-{n}", "權限管理", title=t) for n, t in enumerate(titles)]
    other = requirement("Z", "Far away", title="Else")
    assert "shop-part-1" in [c.slug for c in plan(spec(*many, other)).changes]


@pytest.mark.parametrize(
    ("wish", "title"),
    [
        ("my password to be hidden while typing", "Password is hidden while typing"),
        ("the pages to follow one design", "Pages follow one design"),
        ("access to the list of reports", "Access to the list of reports"),
        ("the ability to export notes", "The ability to export notes"),
        ("to see a form where I can sign up", "See a form"),
        ("to log in", "Log in"),
        ("to turn the lamps in", "Turn the lamps"),
    ],
)
def test_a_wish_is_named_by_its_result(wish: str, title: str) -> None:
    assert shortened(f"As a reader, I want {wish}, so that it helps.") == title


def test_parts_with_a_shared_beginning_are_distinguished_by_their_names() -> None:
    titles = ("Assets", "Feeds", "Lists", "Settings", "Tools", "Users", "Logs", "Mails")
    requirements = [
        requirement(f"R{n}", "Help pages", title=f"Admin help pages {title}")
        for n, title in enumerate(titles)
    ]
    first, second = (c.title for c in plan(spec(*requirements)).changes)
    assert first.startswith("Help pages")
    assert not re.search(r"\(R\d\)", first + second)


def test_a_second_name_in_a_title_starts_in_lower_case() -> None:
    said = requirement("B", title="The system MUST show who came")
    other = requirement("C", "Far away", title="Else")
    titles = [c.title for c in plan(spec(requirement("A", title="Doors"), said, other)).changes]
    assert "Doors and show who came" in titles


def test_a_long_group_name_is_left_out_of_a_single_requirements_slug() -> None:
    group = "Implement the administration of all documents"
    one = requirement("A", group, title="Print the labels of boxes")
    slugs = [c.slug for c in plan(spec(one, requirement("B", "Else", title="Else"))).changes]
    assert slugs[0] == "print-the-labels-of-boxes"


def test_words_after_a_dash_distinguish_equal_names() -> None:
    titles = [f"Functional Parity - {what}" for what in ("Dashboard", "Query Log")]
    parity = [requirement(f"R{n}", f"Step {n}", title=t) for n, t in enumerate(titles)]
    found = plan(spec(*parity)).changes
    assert [c.title for c in found] == titles
    assert "functional-parity-query-log" in found[1].slug


def test_an_alias_is_removed_from_a_name() -> None:
    assert shortened("_(alias of FR-048)_ The system MUST keep keys") == "Keep keys"


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Hệ thống và người dùng của dự án được cho là một với các sprint không có", "vi"),
        ("Sistem harus dapat menyimpan data yang dikirim oleh pengguna dan untuk laporan", "id"),
        ("Kullanıcı için bir liste ve bu liste ile olan kayıtlar", "tr"),
    ],
)
def test_a_language_other_than_english_is_recognised(text: str, language: str) -> None:
    assert language_of(text) == language


def test_a_lettered_label_is_removed_from_a_name() -> None:
    assert spoken("3.4 Module D — Scores of all forecasts (Composite Prediction Engine)") == (
        "Scores of all forecasts"
    )


def test_the_triggering_event_is_removed_from_a_name() -> None:
    assert shortened("On launch, the application shall read its data from disk") == (
        "Read its data from disk"
    )


def test_a_shared_beginning_ends_before_the_modal_verb() -> None:
    assert shared_lead(["Super admin users can view", "Super admin users can edit"]) == (
        "Super admin users"
    )


@pytest.mark.parametrize(
    ("said", "title"),
    [
        ("An ADMIN can view a list of boats", "View a list of boats"),
        ("A site editor can hide a page", "Hide a page"),
        ("The system automatically generates a daily report", "Generate a daily report"),
        ("As a rower, I want to discover boats near me", "Discover boats nearby"),
        ("As a rower, I want a quiet and modern page", "Quiet and modern page"),
        ("As a rower, I want to change my name", "Change name"),
        ("管理者として、備品を登録・管理したいので、全体を把握できる", "備品を登録・管理"),
        ("💡 3. Boat hire", "Boat hire"),
    ],
)
def test_a_title_names_the_action_and_not_the_actor(said: str, title: str) -> None:
    assert plan(spec(requirement("A", title=said))).changes[0].title == title


def test_initials_in_a_folder_name_are_written_in_capitals() -> None:
    named = [
        requirement("A", "rest-api", title="Doors"),
        requirement("B", "rest-api", title="Walls"),
    ]
    titles = [c.title for c in plan(spec(*named, requirement("C", "Else", title="Else"))).changes]
    assert titles == ["Rest API", "Else"]


def test_two_names_are_joined_by_the_word_of_their_language() -> None:
    text = (
        "# Alquiler de barcas\n\n## Requisitos\n\n- RF-1: El sistema debe contar las barcas del lago.\n"
        "- RF-2: El sistema debe cobrar la hora de los remos.\n"
    )
    planned = plan(read_spec("docs/requisitos.md", {"docs/requisitos.md": text.encode()}))
    assert planned.changes[0].title == "Alquiler de barcas"
    more = text + "\n## Otra cosa\n\n- RF-3: El sistema debe cerrar.\n"
    planned = plan(read_spec("docs/requisitos.md", {"docs/requisitos.md": more.encode()}))
    assert planned.changes[0].title == "Contar las barcas del lago y cobrar la hora de los remos"


def test_a_folder_keeps_the_capitals_that_its_words_have_in_the_text() -> None:
    said = "The system MUST read NHS files, and Pages: PAGES of NHS forms."
    two = [requirement(n, "nhs-pages", title=f"Read {n}", statement=said) for n in "AB"]
    assert next(c.title for c in plan(spec(*two, requirement("C", "other"))).changes) == "NHS pages"


def test_a_piece_of_an_ungrouped_list_is_named_after_the_page_and_its_start() -> None:
    said = [
        "Sort every list of keys by age",
        "Paint each wall of the house again",
        "Wash windows at noon",
    ]
    more = [
        "Feed all cats of the street",
        "Count spoons in every drawer",
        "Mend the old clock of the hall",
    ]
    names = [*said, *more, "Read the meter of the house", "Burn letters in the stove"]
    many = [requirement(f"R{n}", title=name) for n, name in enumerate(names)]
    titles = [c.title for c in plan(spec(*many)).changes]
    assert titles[0] == "Shop (1/2): Sort every list of keys by age"


@pytest.mark.parametrize(
    ("wish", "title"),
    [
        (
            "As a business owner, I want to view detailed revenue analytics across different time periods, so that I can plan",
            "View detailed revenue analytics across different time periods",
        ),
        (
            "As the system, I want to store content files in large buckets, so that they are there",
            "Store content files in large buckets",
        ),
    ],
)
def test_a_long_wish_is_named_completely(wish: str, title: str) -> None:
    path = ".kiro/specs/sales/requirements.md"
    text = (
        f"# Requirements\n\n### Requirement 1\n\n**User Story:** {wish}.\n\n"
        "#### Acceptance Criteria\n\n1. WHEN it is asked THEN the page SHALL do it\n"
    )
    (change,) = plan(read_spec(path, {path: text.encode()})).changes
    assert change.title == title


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ("As a visitor, I want to view Hon. Brown's biography, so that I know it", "View Hon. Brown's biography"),
        ("As a visitor, I want to write to Dr. Green or Mrs. Gray, so that they know", "Write to Dr. Green or Mrs. Gray"),
        ("As a visitor, I want to read the page. It is long", "Read the page"),
    ],
)  # fmt: skip
def test_a_name_is_not_cut_behind_a_title_of_a_person(said: str, name: str) -> None:
    assert shortened(said) == name


def test_a_wish_of_two_joined_words_begins_with_a_capital() -> None:
    said = "As an owner, I want real-time mail and a list of files, so that I see them"
    assert shortened(said) == "Real-time mail and a list of files"
    assert shortened("npm-check of packages 2") == "Npm-check of packages 2"


def test_the_wish_of_a_person_who_is_called_by_name_is_read() -> None:
    said = "As Jacob (site owner), I want to add new projects, so that people see them"
    assert shortened(said) == "Add new projects"
    assert shortened("As soon as I can read") == "As soon as I can read"


def test_the_number_of_a_task_is_removed_from_a_name() -> None:
    assert spoken("Task 1: Write the tickets down") == "Write the tickets down"
