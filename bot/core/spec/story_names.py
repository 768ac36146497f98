"""What authors call a user story, in many languages."""

STORY_NAME = (
    r"(?:user[ -]?)?story|historia(?: de usuario)?|história(?: d[eo] (?:usuário|utilizador))?|scénario utilisateur|"
    r"histoire(?: utilisateur)?|récit(?: utilisateur)?|storia(?: utente)?|(?:anwender|(?:be)?nutzer)?geschichte|"
    r"(?:пользовательская )?история(?: пользователя)?|historyjka(?: użytkownika)?|gebruikersverhaal|användarberättelse|"
    r"brukerhistorie|kullanıcı hikayesi|käyttäjätarina|cerita pengguna|foydalanuvchi hikoyasi|câu chuyện người dùng|"
    r"(?:用户|用戶|使用者)(?:故事|情境|场景|場景)|(?:ユーザー?)?ストーリー|ユーザー?シナリオ|(?:사용자|유저) ?(?:스토리|이야기|시나리오)"
)
