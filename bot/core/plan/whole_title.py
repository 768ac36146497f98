"""What a document is called, without the kind of document that it is."""

import re

from bot.core.plan.phrases import spoken
from bot.core.values.spec_model import Spec

# A document's title says what kind of document it is; a change is not called that.
_KIND_OF_DOCUMENT = re.compile(
    r"^\W*(?:(?:requirements?|feature|product|functional|software|spec(?:ification)?s?|document|prd|srs|bugfix|design|"
    r"user stories|epic breakdown|需求(?:文档)?|规格说明书|功能规格书?|功能規格書?|需求規格書?|需求文件)\s*){1,4}(?:[:：–—-]\s*|$)",
    re.IGNORECASE,
)


# `Spec 003 — Search`
_NUMBERED_KIND = re.compile(
    r"^\W*(?:feature )?(?:spec(?:ification)?|feature|prd|srs|especifica[çc](?:ão|ión))\s+#?\d{1,4}\s*[:：–—-]\s*(?=\S)",
    re.IGNORECASE,
)
_REQUIREMENTS_OF = re.compile(
    r"^(?:requisitos|requerimientos|exigences|anforderungen|требования)(?: (?:funcionales|funcionais|fonctionnelles))? "
    r"(?:del?|d[oa]s?|du|des|der|к)\s+(?=\S)",
    re.IGNORECASE,
)
# A page without a title has that of its first chapter.
_OPENS = re.compile(
    r"^\W*(?:\d+[.)]?\s+)?(?:(?:project |product )?(?:overview|introduction|background|summary)|introducci[óo]n|introdução|"
    r"einleitung|überblick|présentation|введение|обзор|(?:项目)?(?:概述|简介|背景)|(?:プロジェクト)?概要|はじめに|"
    r"(?:프로젝트 ?)?(?:개요|소개))\W*$",
    re.IGNORECASE,
)
_KIND_AT_END = re.compile(
    r"(?<!\s)(?:\s*+[-–—:])?\s++(?:feature |functional |product |technical )?(?:requirements?|spec(?:ification)?|prd|epic breakdown)"
    r"(?: document)?\s*+$",
    re.IGNORECASE,
)


def title_of_whole(spec: Spec) -> str | None:
    """Empty if none has a title, or the one title names a kind only (`Requirements`); None if several have."""
    titles = [d.title for d in spec.documents if d.title and not _OPENS.match(d.title)]
    if len(titles) != 1:
        return None if titles else ""
    said = _REQUIREMENTS_OF.sub("", _KIND_OF_DOCUMENT.sub("", _NUMBERED_KIND.sub("", titles[0])))
    return spoken(_KIND_AT_END.sub("", said))
