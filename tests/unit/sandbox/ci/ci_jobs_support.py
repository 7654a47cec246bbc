"""What the tests of ci jobs share."""

CI = ".github/workflows/ci.yml"


WORKFLOW = """\
name: Tests
on: [push, pull_request]
env: {TOP: yes}
defaults: {run: {working-directory: backend}}
jobs:
  test:
    name: Python ${{ matrix.python }} on ${{ matrix.suite }}
    runs-on: ${{ matrix.os || 'ubuntu-latest' }}
    strategy:
      matrix:
        python: ['3.11', '3.12']
        suite: [unit, integration]
        exclude: [{python: '3.11', suite: integration}]
    env: {MODE: fast}
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-python@v5
        with: {python-version: "${{ matrix.python }}", cache: pip}
      - run: pip install -e .
      - run: pytest tests/${{ matrix.suite }} --mode=${{ env.MODE }}
        env: {SUITE: "${{ matrix.suite }}"}
      - run: pytest docs
        working-directory: ${{ github.workspace }}
      - if: failure()
        run: cat log
      - if: github.event_name == 'schedule'
        run: pytest slow
"""
