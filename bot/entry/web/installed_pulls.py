"""Where the App is installed by now, and which pulls Headgate has opened there."""

from sqlalchemy.exc import OperationalError

from bot.adapters.github.forge import GitHubForge
from bot.adapters.store.engine import open_engine
from bot.adapters.store.journal import SqlJournal
from bot.core.state.onboarding import onboarding_pull
from bot.core.values.ids import RepositoryId
from bot.entry.settings import Settings
from bot.entry.web.setup_pages import InstalledPull
from bot.ports import Retryable, UserError


def pulls_of_installations() -> list[InstalledPull]:
    """Asks GitHub and the journal; empty where one of them cannot be asked now."""
    settings = Settings()
    forge = GitHubForge(settings.github_api_url, settings.app_id, settings.app_key())
    try:
        installations = forge.installations()
    except (UserError, Retryable):
        return []
    engine = open_engine(settings.journal_url)
    journal = SqlJournal(engine)
    found = []
    for one in installations:
        pull = _pull(journal, one.repository)
        url = f"{settings.github_url}/{one.full_name}/pull/{pull}"
        found.append(InstalledPull(one.full_name, url, pull))
    engine.dispose()
    return found


def _pull(journal: SqlJournal, repository: RepositoryId) -> int:
    try:
        return onboarding_pull(journal.load(repository)) or 0
    except (OperationalError, Retryable):
        # `headgate up` has not made the database yet.
        return 0
