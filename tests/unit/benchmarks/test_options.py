"""Which tasks a run takes."""

from collections import Counter
from dataclasses import replace

import pytest
from every_case import every_case

from benchmarks.datasets.humanevalfix import Task
from benchmarks.runs.options import RunOptions
from benchmarks.runs.selection import Selection, Shard, fraction_of_each, stratified
from bot.errors import ConfigurationError


def task(number, group):
    return Task(name=f"Python/{number}", bug_type=group, module="", test="", canonical="")


TASKS = [task(number, "abc"[number % 10 // 4]) for number in range(40)]  # 16 a, 16 b, 8 c


@every_case(
    ("draw", "size", "counts"),
    [
        (stratified, 10, {"a": 4, "b": 4, "c": 2}),
        (fraction_of_each, 0.3, {"a": 5, "b": 5, "c": 2}),  # 4.8, 4.8 and 2.4
        (fraction_of_each, 0.01, {"a": 1, "b": 1, "c": 1}),
    ],
)
def test_each_group_has_its_share_by_the_seed_in_order(draw, size, counts):
    drawn = draw(TASKS, size, seed=0)
    assert Counter(one.group for one in drawn) == counts
    assert drawn == sorted(drawn, key=TASKS.index)
    assert drawn == draw(TASKS, size, seed=0) != draw(TASKS, size, seed=1)


@every_case("count", [1, 3, 7, 39, 40, 100])
def test_a_sample_has_the_size_that_was_asked_for(count):
    assert len(stratified(TASKS, count, seed=3)) == min(count, len(TASKS))


def test_tasks_are_chosen_by_name_sample_and_limit():
    assert Selection(ids="7, Python/3, 7").tasks(TASKS) == [TASKS[7], TASKS[3]]
    assert Selection(limit=2).tasks(iter(TASKS)) == TASKS[:2]
    assert len(Selection(sample=10, limit=4).tasks(TASKS)) == 4
    assert len(Selection(fraction=0.25).tasks(TASKS)) == 10


def test_an_end_that_several_names_have_is_all_of_them():
    names = ("one/00", "one/01", "two/00", "two/01")
    libraries = [replace(TASKS[0], name=name) for name in names]
    chosen = Selection(ids="01,one/00,one/01").tasks(libraries)
    assert [one.name for one in chosen] == ["one/01", "two/01", "one/00"]


def test_a_name_that_is_not_there_is_an_error():
    with pytest.raises(ConfigurationError, match="no such task: 99, x"):
        Selection(ids="3,99,x").tasks(TASKS)
    with pytest.raises(ConfigurationError, match="no task"):
        Selection().tasks([])


def test_samples_are_trials_of_the_same_tasks_with_keys_of_their_own():
    trials = Selection(limit=2, samples=3).trials(TASKS)
    keys = [(trial.task.name, trial.sample) for trial in trials[:3]]
    assert keys == [("Python/0", 0), ("Python/1", 0), ("Python/0", 1)]
    assert len({trial.key for trial in trials}) == 6
    with pytest.raises(ConfigurationError, match="the same name"):
        Selection().trials([TASKS[0], TASKS[0]])


@every_case("text", ["", "3", "0/2", "3/2", "a/b", "1/0", "-1/2", "²/3"])
def test_a_part_that_is_none_is_refused(text):
    with pytest.raises(ConfigurationError, match="--shard"):
        Shard.parse(text)


def test_options_of_the_run_and_of_the_repair_are_told_apart(tmp_path):
    given = {"parallel": 2, "ids": "3", "samples": 4, "shard": "2/3", "stratify": "bug_type", "model": None}
    repair = {"strategy": "search", "search_without": ("spectra", "alternatives"), "iterations": 3}
    run, left = RunOptions.split({**given, **repair})
    assert (run.parallel, run.selection.ids, run.selection.samples) == (2, "3", 4)
    assert run.shard == Shard(number=2, count=3)
    assert left == {"strategy": "search", "search_without": "spectra,alternatives", "max_attempts": 3}
    assert RunOptions.split({"strategy": "search", "search_without": ()})[1] == {"strategy": "search"}
    with pytest.raises(AssertionError, match="pyhton"):
        RunOptions.split({"pyhton": "3"})
    assert run.trajectory_directory is None
    assert RunOptions(output=tmp_path / "a.jsonl").trajectory_directory == tmp_path / "a.trajectories"
