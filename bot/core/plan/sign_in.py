"""Who is known comes before what asks for it: accounts, then signing in, then sessions and what is protected."""

import re
from collections.abc import Sequence

from bot.core.plan.foundations import is_groundwork
from bot.core.plan.makers import members_compared, need_of_maker
from bot.core.plan.phrases import phrase, role_of, spoken
from bot.core.plan.stated_dependencies import Need
from bot.core.values.plan_model import PlannedChange
from bot.core.values.spec_model import Requirement, Spec

# In a product of more parts sign-in is a part; a page of three may be about it.
_FEW = 4
_DOORS_MAX = 3

_SIGN_IN = re.compile(
    r"\b(?:sign[- ]?in|log[- ]?in|login|authenticat(?:e|es|ion|ing)|user accounts?|accounts?|sign[- ]?up|(?:user|account|customer|member|guest|self|online)[- ]registration|(?<!\w )registration|"
    r"inicio de sesi[óo]n|autenticaci[óo]n|autenticação|authentification|connexion|anmeldung|logowanie|inloggen|logga in|inloggning|accesso|^acceso|acceso (?:al sistema|a la (?:plataforma|aplicación))|^zugang|giriş|masuk|registro de (?:usuarios?|\w+)|cadastro de usuários?|inscription|"
    r"user management|(?:be)?nutzerverwaltung|registrierung|gesti[óo]n de usuarios|gest[ãa]o de usu[áa]rios|gestion des utilisateurs|"
    r"авторизация|аутентификация(?: \w+)?|регистрация(?: \w+)?|вход|управление пользователями)\b|"
    r"登录|登錄|登入|注册|用户(?:与权限|账[户号])?管理|ログイン|認証|ユーザー管理|로그인|인증|회원 ?가입|(?:회원|사용자) ?관리",
    re.IGNORECASE,
)
# What anybody sees.
_PUBLIC = re.compile(
    r"\b(?:landing ?pages?|home ?page|public (?:site|pages?)|marketing (?:site|pages?)|seo|startseite|página de inicio|"
    r"page d['’]accueil|главная страница)\b|首页|トップページ|메인 ?페이지",
    re.IGNORECASE,
)
_REGISTERS = re.compile(
    r"\bregist|\bsign[- ]?up\b|\baccounts?\b|\balta\b|cadastr|inscription|inscripci|registr|rejestr|регистрац|注册|註冊|登録|회원 ?가입",
    re.IGNORECASE,
)
_SIGNED_IN = re.compile(
    r"\b(?:signed[- ]in|logged[- ]in|authenticated|authenticated user|logs? in|session of (?:a|the) user|"
    r"autenticad[oa]s?|inici(?:ado|ar) sesi[óo]n|logad[oa]s?|connectée?s?|authentifiée?s?|angemeldet\w*|eingeloggt\w*|"
    r"zalogowan\w+|авторизованн\w+)\b|已登录|登录后|已登入|ログイン(?:中|済|した|後)|로그인한|로그인된|로그인 후",
    re.IGNORECASE,
)
_ENDS_ACCOUNT = re.compile(
    r"\baccount (?:lifecycle|deletion|removal|closure|settings|linking)\b|\bdelet(?:e|ing) (?:\w+ ){0,2}accounts?\b",
    re.IGNORECASE,
)
_NOT_SIGN_IN = re.compile(
    r"\b(?:un|not |non-)(?:authenticated|signed[- ]in|logged[- ]in)|sign(?:ing)?[- ]?out|log(?:ging)?[- ]?out|\bapi\b",
    re.IGNORECASE,
)
# The deed itself, and no page, state or provider of it.
_ENTERS = re.compile(
    r"\b(?:(?:sign|log)(?:s|ging|ing)?[- ]?in(?:to)?|login|se connecter|connexion|iniciar sesi[óo]n|inicio de sesi[óo]n|fazer login|"
    r"anmeldung|einloggen|вход|войти|авторизация|logowanie|masuk|giriş)\b|登录|登錄|登入|ログイン|로그인",
    re.IGNORECASE,
)
_FOR_WHO_ENTERED = re.compile(
    r"\b(?:(?:log|sign)(?:ging|ing)?[- ]?(?:out|off)|(?:token|session)s?|jwts?|protected|route (?:protection|guards?)|"
    r"(?:authentication|authorization|auth|token) (?:middleware|guards?)|(?:user|own|my|account) (?:profiles?|settings)|"
    r"account management|manage (?:my |the |your )?account|change (?:my |the )?password|"
    r"déconnexion|jetons?|protection de|cerrar sesi[óo]n|cierre de sesi[óo]n|sesiones|fazer logout|sair|sess(?:ão|ões)|abmeld\w+|sitzung\w*|"
    r"выход|сесси\w+|токен\w*)\b|退出登|登出|会话|會話|令牌|ログアウト|セッション|トークン|로그아웃|세션|토큰",
    re.IGNORECASE,
)
_RECOVERS = re.compile(
    r"\b(?:reset|forgot(?:ten)?|recover\w*|restablecer|recupera\w+|réinitialis\w+|zurücksetzen|восстановлени\w+|сброс)\b.{0,20}"
    r"\b(?:password|contraseña|senha|mot de passe|passwort|парол\w+)|\bpassword (?:reset|recovery)|"
    r"(?:重置|找回|忘记)密码|パスワード(?:リセット|再設定)|비밀번호 ?(?:재설정|찾기)",
    re.IGNORECASE,
)


def sign_in_needs(spec: Spec, drafts: Sequence[PlannedChange]) -> tuple[Need, ...]:
    """Soft dependencies on who signs people in, and of that on who gives them accounts."""
    members = members_compared(spec, drafts)
    return (*_by_sign_in(members), *_by_deeds(members))


def _by_sign_in(members: Sequence[Sequence[Requirement]]) -> list[Need]:
    """Where one change, or some beside each other, are about accounts or signing in."""
    doors = [
        at
        for at, own in enumerate(members)
        if own and any(map(_is_way_in, (phrase(own[0]), spoken(own[0].domain))))
    ]
    # Who registers signs in next; more doors, or doors apart, are parts of a product about accounts.
    if not doors or len(doors) > _DOORS_MAX or doors[-1] - doors[0] >= len(doors):
        return []
    first = members[doors[0]][0]
    registers = _REGISTERS.search(f"{phrase(first)}\n{spoken(first.domain)}") is not None
    door = members[doors[1 if registers and len(doors) > 1 else 0]][0]
    opens = doors[0] == 0 and len(members) > _FEW
    ways = doors[1:] if registers else []
    return [need_of_maker(members[at][0], members[doors[0]][0]) for at in ways] + [
        need_of_maker(own[0], door)
        for at, own in enumerate(members)
        if at not in doors
        and own
        and not is_groundwork(phrase(own[0]))
        # Who writes of it first means that all else stands behind it.
        and (
            (opens and not all(_PUBLIC.search(phrase(one)) for one in own))
            or any(_asks_for_a_user(one) for one in own)
        )
    ]


def _is_way_in(name: str) -> bool:
    is_other = _ENDS_ACCOUNT.search(name) or _NOT_SIGN_IN.search(name)
    return bool(_SIGN_IN.search(name)) and not is_other


def _asks_for_a_user(requirement: Requirement) -> bool:
    text = f"{requirement.title}\n{requirement.statement}"
    texts = (text, *(scenario.text for scenario in requirement.scenarios))
    return any(_SIGNED_IN.search(one) and not _NOT_SIGN_IN.search(one) for one in texts)


def _by_deeds(members: Sequence[Sequence[Requirement]]) -> list[Need]:
    """Signing out, sessions and protected pages after signing in; that, and a new password, after accounts."""
    firsts = [own[0] if own else None for own in members]
    enters = _first(firsts, _ENTERS)
    registers = _first(firsts, _REGISTERS)
    needs = []
    for at, one in enumerate(firsts):
        if one is None:
            continue
        name = phrase(one)
        is_for_entered = _FOR_WHO_ENTERED.search(name) or _SIGNED_IN.search(role_of(one.title))
        if enters is not None and at > enters and is_for_entered:
            needs.append(need_of_maker(one, members[enters][0]))
        is_door = at == enters or _RECOVERS.search(name)
        if registers is not None and at > registers and is_door:
            needs.append(need_of_maker(one, members[registers][0]))
    return needs


def _first(members: Sequence[Requirement | None], deed: re.Pattern[str]) -> int | None:
    """The first that is called by the deed: `Login and tokens`, and not `Session after login`."""
    for at, one in enumerate(members):
        name = phrase(one) if one else ""
        found, later = deed.search(name), _FOR_WHO_ENTERED.search(name)
        if (
            found
            and not _NOT_SIGN_IN.search(name)
            and not (later and later.start() < found.start())
        ):
            return at
    return None
