"""What authors call a requirement and a user story, in many languages."""

REQUIREMENT_NAME = (
    r"Requirement|Req\.?|需求|要件|Требование|Вимога|Requisito|Requerimiento|Exigence|요구\s?사항|Anforderung|Wymaganie|Vereiste|Vaatimus|"
    r"Gereksinim|Kebutuhan|Persyaratan|Yêu cầu|Cerință|Požadavek|Követelmény|Talab"
)
STORY_NAME = (
    r"(?:user[ -]?)?story|historia(?: de usuario)?|história(?: d[eo] (?:usuário|utilizador))?|scénario utilisateur|"
    r"histoire(?: utilisateur)?|récit(?: utilisateur)?|storia(?: utente)?|(?:anwender|(?:be)?nutzer)?geschichte|"
    r"(?:пользовательская )?история(?: пользователя)?|historyjka(?: użytkownika)?|gebruikersverhaal|användarberättelse|"
    r"brukerhistorie|kullanıcı hikayesi|käyttäjätarina|cerita pengguna|foydalanuvchi hikoyasi|câu chuyện người dùng|"
    r"(?:用户|用戶|使用者)(?:故事|情境|场景|場景)|(?:ユーザー?)?ストーリー|ユーザー?シナリオ|(?:사용자|유저) ?(?:스토리|이야기|시나리오)"
)
