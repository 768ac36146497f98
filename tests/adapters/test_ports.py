"""The adapters implement their ports; the type checker checks this file."""

from bot.adapters.git.mirror_git import MirrorGit
from bot.ports import Forge, Git
from tests.adapters.hub_stage import HubStage


def test_the_adapters_implement_the_ports(stage: HubStage, mirror: MirrorGit) -> None:
    forge: Forge = stage.forge
    git: Git = mirror
    assert forge.repository(stage.installation, stage.facts.id) == stage.facts
    assert not git.has(stage.facts, stage.head())
