"""What the Action does with an event: answer a comment, propose, publish, or both; and what it says of that.

The parts that need a right of their own are apart: ``propose`` reads and runs code in the sandbox, what
publishes writes and runs nothing. Whoever publishes asks again who may have what repaired, and whether the
proposal is for that. Where GitHub cannot be asked, that is a ``GitHubError``.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import Literal

from bot.action.acknowledge import LiveAnswer, acknowledge, conclude, say_nothing, say_progress
from bot.action.asking import check_trusted, commenter
from bot.action.outdated import has_outdated, withdraw_outdated
from bot.action.reporting import SKIPPED, Report, left_to_publish, said_by
from bot.action.subject import NothingToDo, NotTrusted, Subject, candidates
from bot.action.workplace import Workplace
from bot.config.action_settings import Runner
from bot.config.settings import Settings
from bot.delivery import commands, guards, sticky
from bot.delivery.check import write_check, write_repair
from bot.delivery.options import Delivered, DeliveryOptions, options_of
from bot.delivery.proposal import ProposalArtifact, load
from bot.delivery.publish import publish
from bot.delivery.verify import verify
from bot.errors import DeliveryError, GitHubError, HeadMoved
from bot.github.client import GitHub
from bot.github.events import COMMENTS, Trigger
from bot.patch.policy.gate import Policy

Answered = Literal["apply", "dismiss", "explain"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Flow:
    """One run of the Action. ``configure`` gives the settings with the file at a branch added to them."""

    workplace: Workplace
    runner: Runner
    trigger: Trigger
    configure: Callable[[str], Settings]
    now: Callable[[], datetime]

    @property
    def github(self) -> GitHub:
        """The repository."""
        return self.workplace.github

    @property
    def settings(self) -> Settings:
        """What was chosen."""
        return self.workplace.settings

    def repair(self, shown: Callable[[ProposalArtifact], None]) -> Report:
        """Propose and publish in one go; ``shown`` gets the proposal in between, so that nothing loses it.

        Raises:
            RegreenError: a patch cannot be looked for.
            sandbox.errors.SandboxError: the sandbox failed.
        """
        try:
            subject = self._subject()
            flow = self._for(subject).with_live_answer()
            artifact = flow.look_for_a_patch(subject)
        except NothingToDo as nothing:
            return self._nothing(nothing)
        shown(artifact)
        return flow.hand_over(artifact)

    def propose(self) -> Report:
        """Look for a patch; nothing is written to GitHub.

        Raises:
            RegreenError: it cannot be looked for.
            sandbox.errors.SandboxError: the sandbox failed.
        """
        try:
            subject = self._subject()
            artifact = self._for(subject).look_for_a_patch(subject)
        except NothingToDo as nothing:
            wanted = self._is_answerable(nothing) or has_outdated(self.trigger, self.github)
            return Report(outcome=SKIPPED, reason=str(nothing), to_publish=wanted)
        return replace(said_by(artifact), to_publish=True)

    def prove(self) -> Report:
        """Judge what a pull request changes; raises as ``propose`` does."""
        from bot.action.prove import prove

        try:
            subject = self._subject()
            artifact = prove(subject, self._for(subject).workplace)
        except NothingToDo as nothing:
            return Report(outcome=SKIPPED, reason=str(nothing))
        return left_to_publish(self._handed_over(artifact, said_by(artifact)))

    def publish(self, proposal: bytes | None) -> Report:
        """Check and deliver ``proposal``; without one, take back what is out of date.

        Raises:
            DeliveryError: it is refused.
            GitHubError: GitHub cannot be asked.
        """
        if proposal is None:
            return self._without_proposal()
        artifact = load(proposal)
        try:
            subject = self._subject(of=artifact)
        except NothingToDo as nothing:
            return self._concluded(Report(outcome=SKIPPED, reason=str(nothing)))
        return self._for(subject).hand_over(artifact, unchecked=True)

    def acknowledge(self) -> Report:
        """Answer a request for a repair at once."""
        if self.trigger.command != "fix":
            return Report(outcome=SKIPPED, reason="nobody asks for a repair by a comment")
        try:
            subject = self._commanded()
        except NothingToDo as nothing:
            return Report(outcome=SKIPPED, reason=str(nothing))
        seconds = self._for(subject).settings.time_budget
        url = acknowledge(self.trigger, self.github, seconds=seconds, url=self.runner.url)
        return Report(outcome=SKIPPED, reason=f"the request was answered: {url}")

    def with_live_answer(self) -> Flow:
        """The same with a progress that answers the request of a comment, where there is one."""
        if self.trigger.command != "fix":
            return self
        trigger, github, seconds = self.trigger, self.github, self.settings.time_budget
        with suppress(GitHubError):
            acknowledge(trigger, github, seconds=seconds, url=self.runner.url)

        say = partial(say_progress, trigger, github, self.runner.url)
        live = LiveAnswer(inner=self.workplace.progress, say=say, seconds=seconds)
        return replace(self, workplace=replace(self.workplace, progress=live))

    def answer(self, command: Answered) -> Report:
        """Do what a comment asks, other than a repair."""
        number, comment = self.trigger.pull, self.trigger.comment_id
        try:
            self._commanded()
        except NothingToDo as nothing:
            return Report(outcome=SKIPPED, reason=str(nothing))
        asker = commenter(self.trigger, self.github)
        if command == "apply":
            delivered = commands.apply(self.github, number, policy=Policy(), actor=asker, comment_id=comment)
            done = delivered.reason or "the patch was committed onto the branch"
            return Report(outcome=SKIPPED, reason=done, delivered=delivered)
        if command == "dismiss":
            done = commands.dismiss(self.github, number, actor=asker, comment_id=comment)
            return Report(outcome=SKIPPED, reason=done)
        url = commands.explain(self.github, number, comment_id=comment)
        return Report(outcome=SKIPPED, reason=f"the proposal was explained: {url}")

    def _commanded(self) -> Subject:
        """The pull request of a command, where who wrote that may give one.

        Raises:
            NothingToDo: that person may not.
        """
        pull = self.github.pull(self.trigger.pull)
        subject = Subject(pull=pull, head_sha=pull.head_sha, head_ref=pull.head_ref, config_ref=pull.base_ref)
        self._trusted(subject)
        return subject

    def withdraw(self) -> None:
        """Take back proposals that the event shows to be out of date."""
        withdraw_outdated(self.trigger, self.github, self.workplace.progress)

    def _without_proposal(self) -> Report:
        if self.trigger.command == "fix":
            try:
                self._subject()
            except NothingToDo as nothing:
                return self._nothing(nothing)
        return Report(outcome=SKIPPED, reason="there is no proposal to publish")

    def _nothing(self, nothing: NothingToDo) -> Report:
        """Nothing is done; a person who may ask and did so by a comment receives the reason."""
        if self._is_answerable(nothing):
            say_nothing(self.trigger, self.github, str(nothing))
        return Report(outcome=SKIPPED, reason=str(nothing))

    def _is_answerable(self, nothing: NothingToDo) -> bool:
        return self.trigger.command == "fix" and not isinstance(nothing, NotTrusted)

    def look_for_a_patch(self, subject: Subject) -> ProposalArtifact:
        """Repair ``subject``; see ``propose.propose``.

        Raises:
            NothingToDo: a proposal stands already.
        """
        # Only here: what publishes does not even load what could run code or ask a model.
        from bot.action.propose import propose

        tests = (self.trigger.test,) if self.trigger.test else ()
        return propose(subject, self.workplace, asked=self.trigger.is_asked, tests=tests)

    def hand_over(self, artifact: ProposalArtifact, *, unchecked: bool = False) -> Report:
        """Check ``artifact`` and publish it, or report why not; of one from another job, that alone."""
        said = Report(outcome=SKIPPED) if unchecked else said_by(artifact)
        return self._concluded(self._handed_over(artifact, said))

    def _concluded(self, report: Report) -> Report:
        conclude(self.trigger, self.github, report)
        return report

    def _handed_over(self, artifact: ProposalArtifact, said: Report) -> Report:
        """Publish ``artifact``; ``said`` is reported where it cannot be checked."""
        try:
            allowed = self.options.allow_test_changes
            verified = verify(artifact, self.github, policy=Policy(), test_changes=allowed)
            said = said_by(verified.artifact)
            if artifact.judged:
                return replace(said, delivered=write_check(verified, self.github))
            delivered = publish(
                verified,
                self.github,
                self.options,
                now=self.now(),
                asked=self.trigger.is_asked,
                server_url=self.runner.server_url,
            )
            if self.options.delivery != "none" and (why := write_repair(verified, delivered, self.github)):
                self.workplace.progress.stage("check run", why)
        except HeadMoved as moved:  # no failure of this run: somebody was faster
            delivered = Delivered.nothing(str(moved))
        except (GitHubError, DeliveryError) as error:
            return replace(said, error=error)
        return replace(said, delivered=delivered, reason=said.reason or delivered.reason)

    def _subject(self, *, of: ProposalArtifact | None = None) -> Subject:
        """What is to be repaired; with ``of``, what that proposal is for.

        Raises:
            NothingToDo: nothing, or nothing that may be.
        """
        last = NothingToDo("nothing fails: there is nothing to repair")
        if self.trigger.kind in COMMENTS and not self.trigger.command:
            raise NothingToDo(
                "the comment is no command: '/regreen fix', apply, dismiss or explain has to be the first "
                "line of a new comment below a pull request"
            )
        own_run = self.runner.run_id
        for subject in candidates(self.trigger, self.github, self.settings.action, own_run=own_run):
            if of and not subject.fits(of):
                last = NothingToDo(f"the proposal is not for {subject.name} at {subject.head_sha[:12]}")
                continue
            try:
                self._trusted(subject)
                if of is None and self.settings.action.mode != "prove":
                    self._guarded(subject)
            except NothingToDo as nothing:
                last = nothing
                continue
            return subject
        raise last

    def _trusted(self, subject: Subject) -> None:
        check_trusted(
            self.trigger,
            self.runner,
            self.github,
            subject,
            trusted_bots=lambda: self._for(subject).settings.action.trusted_bot_names,
        )

    def _guarded(self, subject: Subject) -> None:
        pull, asked = subject.pull, self.trigger.is_asked
        if pull is None:
            why = guards.reason_to_skip_branch(self.github, subject.head_ref, subject.head_sha, asked=asked)
        else:
            options = self._for(subject).options
            why = guards.reason_to_skip(self.github, pull, options, now=self.now(), asked=asked)
        if pull and not why and self.trigger.kind == "schedule":
            before = sticky.find(self.github, pull.number)
            if before and before.state.stands and before.state.head == subject.head_sha:
                why = f"a proposal for {subject.name} stands already"
        if why:
            raise NothingToDo(why)

    def _for(self, subject: Subject) -> Flow:
        """The same with what the base branch's file says."""
        settings = self.configure(subject.config_ref)
        return replace(self, workplace=replace(self.workplace, settings=settings))

    @property
    def options(self) -> DeliveryOptions:
        """How a patch is handed over."""
        # Who asks below the pull request gets an answer there, with a patch or without.
        there = self.trigger.is_asked and self.trigger.kind != "workflow_dispatch"
        return options_of(self.settings.action, asked_there=there)
