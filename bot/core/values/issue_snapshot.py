"""Issues of people as they were observed: a spec, a wish for work, a change's size."""

from bot.core.values.ids import Frozen, IssueNumber
from bot.core.values.issue_input import Remark
from bot.core.values.plan_model import ChangeSize
from bot.core.values.repository import Role


class SpecIssueSnapshot(Frozen):
    """An issue that may be a spec, and who labelled it, with their current role."""

    number: IssueNumber
    title: str
    body: str
    author: str
    author_id: int
    is_open: bool
    is_labelled: bool
    labelled_by: str = ""
    role: Role = Role.NONE

    @property
    def is_wanted(self) -> bool:
        """Whether it is open and was labelled by a person."""
        return self.is_open and self.is_labelled and bool(self.labelled_by)


class WorkIssueSnapshot(Frozen):
    """An issue that may ask for work: its text, who labelled it, and people's comments.

    `labelling` is GitHub's id of the labelling, 0 if not by a person. `is_spec`: it also has the
    label of specs, and its own text is the spec. `remarks` are comments of people who may write
    here.
    """

    number: IssueNumber
    title: str
    body: str
    author: str
    author_id: int
    is_open: bool
    is_labelled: bool
    is_spec: bool = False
    labelling: int = 0
    labelled_by: str = ""
    role: Role = Role.NONE
    remarks: tuple[Remark, ...] = ()

    @property
    def is_wanted(self) -> bool:
        """Whether it is open and was labelled by a person."""
        return self.is_open and self.is_labelled and not self.is_spec and bool(self.labelled_by)


class SizeSnapshot(Frozen):
    """The size that a label on a change's issue names; None if there is none. `role` is current."""

    size: ChangeSize | None = None
    labelled_by: str = ""
    role: Role = Role.NONE
