"""What the tests of init share."""

CI = """\
name: Tests
on: [push, pull_request]
jobs:
  test:
    runs-on: ubuntu-latest
    strategy:
      matrix:
        python-version: ["3.11", "3.12"]
    steps:
      - run: python -m pip install -e . && python -m pytest -v {tests}
"""


def tree(top):
    return {p.relative_to(top).as_posix(): p.read_bytes() for p in sorted(top.rglob("*")) if p.is_file()}


def workflow(name="Tests", tests="tests/unit", on="[push, pull_request]"):
    text = CI.format(tests=tests).replace("[push, pull_request]", on)
    return text.replace("name: Tests\n", f"name: {name}\n" if name else "")
