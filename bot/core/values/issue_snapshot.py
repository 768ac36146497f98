"""Issues of people as they were observed: a spec, a wish for work, a change's size."""

from bot.core.values.ids import Frozen, IssueNumber
from bot.core.values.issue_input import Remark
from bot.core.values.plan_model import ChangeSize
from bot.core.values.repository import Role


class LabelledIssue(Frozen):
    """An issue with its text, and who put our label on it, with their current role.

    `labelling` is GitHub's id of the labelling, 0 if not by a person.
    """

    number: IssueNumber
    title: str
    body: str
    author: str
    author_id: int
    is_open: bool
    is_labelled: bool
    labelling: int = 0
    labelled_by: str = ""
    role: Role = Role.NONE

    @property
    def is_wanted(self) -> bool:
        """Whether it is open and was labelled by a person."""
        return self.is_open and self.is_labelled and bool(self.labelled_by)


class SpecIssueSnapshot(LabelledIssue):
    """An issue that may be a spec."""


class WorkIssueSnapshot(LabelledIssue):
    """An issue that may ask for work, with people's comments.

    `is_spec`: it also has the label of specs, and its own text is the spec. `remarks` are comments of
    people who may write here.
    """

    is_spec: bool = False
    remarks: tuple[Remark, ...] = ()

    @property
    def is_wanted(self) -> bool:
        return super().is_wanted and not self.is_spec


class SizeSnapshot(Frozen):
    """The size that a label on a change's issue names; None if there is none. `role` is current."""

    size: ChangeSize | None = None
    labelled_by: str = ""
    role: Role = Role.NONE
