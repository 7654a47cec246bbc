"""Whatever workflow files hold, they are read or left out."""

import yaml
from hypothesis import given
from hypothesis import strategies as st

from bot.commands.init.look import _workflows

VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.sampled_from(["push", "pull_request", "pytest -q", "${{ x }}", "cd .."]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["on", "jobs", "name", "steps", "run", "env", "strategy", "matrix", "include", "defaults"]
            )
            | st.integers(0, 2),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@given(VALUES)
def test_whatever_a_workflow_holds_it_is_read_or_left_out(document):
    notes = []
    files = {".github/workflows/a.yml": yaml.safe_dump(document).encode()}
    found = list(_workflows(files, notes))
    assert len(found) + len(notes) == 1


@given(st.binary(max_size=200))
def test_whatever_bytes_a_workflow_has_it_is_read_or_left_out(data):
    notes = []
    assert len(list(_workflows({".github/workflows/a.yml": data}, notes))) + len(notes) == 1
