"""A summary that cannot be written in full costs the summary, not the outputs."""

import io

from bot.action import reporting
from bot.action.reporting import ActionReporter, Report
from bot.github.runner_files import RunnerLog
from bot.scrub import Scrubber


def test_outputs_are_written_where_the_summary_raises(monkeypatch, outlived, tmp_path):
    def broken(_report):
        raise LookupError("a defect of ours")

    monkeypatch.setattr(reporting, "_summary", broken)
    summary, output = tmp_path / "summary", tmp_path / "output"
    log = RunnerLog(io.StringIO())
    reporter = ActionReporter(log=log, scrub=Scrubber(()), summary=summary, output=output)
    reporter.report(Report(outcome="no_patch", reason="nothing was found"))
    assert summary.read_text() == "**Regreen**: no_patch\n"
    assert "no_patch" in output.read_text()
    assert [defect.part for defect in outlived.found] == ["the job's summary"]
