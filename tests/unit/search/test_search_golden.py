"""The operators on invented projects that are really run: how early the right fix comes in the stream.

Every line is as suspicious as any other, so that a rank says what the operators and the failure's symptoms do
without localisation.
"""

from itertools import islice

import pytest
from search_support import everywhere
from templates_support import cases, failure_of, groups

from bot.patch.apply import apply
from bot.search import candidates

WITHIN = 100
MOST = 150  # candidates of one project that are compiled as a whole
# Candidates with many alternatives come late wherever they stand.
WITHIN_OF = {"reuse": 1000, "updates": 150, "given": 250, "two_places": 250, "displays": 350}
CASES = [(group, case) for group in groups("operators") for case in cases("operators", group)]


@pytest.mark.parametrize(("group", "case"), CASES, ids=lambda value: getattr(value, "name", ""))
@pytest.mark.filterwarnings("ignore::SyntaxWarning", "ignore::RuntimeWarning")
def test_the_fix_comes_early(group, case, tmp_path):
    failure = failure_of(case.files, tmp_path / "faulty")
    assert failure is not None, "the project has no fault"
    assert failure_of({**case.files, case.path: case.fix}, tmp_path / "fixed") is None
    suspicions = everywhere(case.files[case.path], case.path)
    stream = candidates(case.files, suspicions, [failure])
    fixed = (apply(candidate.patch, case.files).get(case.path) for candidate in stream)
    assert case.fix in islice(fixed, WITHIN_OF.get(group, WITHIN))


@pytest.mark.filterwarnings("ignore::SyntaxWarning")
def test_every_candidate_compiles_and_is_new():
    for _, case in CASES:
        text = case.files[case.path]
        found = []
        for candidate in islice(candidates({case.path: text}, everywhere(text, case.path)), MOST):
            found.append(apply(candidate.patch, {case.path: text})[case.path])
            compile(found[-1], case.path, "exec", dont_inherit=True)
        assert len(found) == len(set(found))
        assert text not in found
