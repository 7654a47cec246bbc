"""Which tasks a run takes."""

from __future__ import annotations

from collections import Counter

import pytest

from benchmarks.humanevalfix import Task
from benchmarks.options import RunOptions, stratified
from bot.errors import ConfigurationError


def task(number, group):
    return Task(name=f"Python/{number}", bug_type=group, module="", test="", canonical="")


TASKS = [task(number, "abc"[number % 10 // 4]) for number in range(40)]  # 16 a, 16 b, 8 c


def test_a_sample_has_from_each_group_its_share_and_keeps_the_order():
    drawn = stratified(TASKS, 10, seed=0)
    assert Counter(one.group for one in drawn) == {"a": 4, "b": 4, "c": 2}
    assert drawn == sorted(drawn, key=TASKS.index)
    assert drawn == stratified(TASKS, 10, seed=0)
    assert drawn != stratified(TASKS, 10, seed=1)


@pytest.mark.parametrize("count", [1, 3, 7, 39, 40, 100])
def test_a_sample_has_the_size_that_was_asked_for(count):
    assert len(stratified(TASKS, count, seed=3)) == min(count, len(TASKS))


def test_tasks_are_chosen_by_name_sample_and_limit():
    assert RunOptions(ids="7, Python/3").chosen(TASKS) == [TASKS[7], TASKS[3]]
    assert RunOptions(limit=2).chosen(iter(TASKS)) == TASKS[:2]
    assert len(RunOptions(sample=10, limit=4).chosen(TASKS)) == 4


def test_a_name_that_is_not_there_is_an_error():
    with pytest.raises(ConfigurationError, match="no such task: 99, x"):
        RunOptions(ids="3,99,x").chosen(TASKS)
    with pytest.raises(ConfigurationError, match="no task"):
        RunOptions().chosen([])


def test_options_of_the_run_and_of_the_repair_are_told_apart():
    mine = dict.fromkeys(RunOptions.__dataclass_fields__) | {"parallel": 2}
    given = {"strategy": "search", "model": None, "search_without": ("spectra", "rivals")}
    run, repair = RunOptions.split(mine | given)
    assert run.parallel == 2
    assert repair == {"strategy": "search", "search_without": "spectra,rivals"}
    assert RunOptions.split(mine | {"strategy": "search", "search_without": ()})[1] == {"strategy": "search"}
    with pytest.raises(AssertionError, match="pyhton"):
        RunOptions.split(mine | {"pyhton": "3"})
