"""A week of a team's red builds, simulated: ``python tests/run_week.py --runs 200 --seed 0``.

Projects with their bugs are made by a seed, CI fails on a GitHub that stands in for the real one, the Action
is started as a runner starts it, and things go wrong meanwhile. In the end is looked at what GitHub and the
machine hold: nothing twice, nothing lost, nothing leaked, nothing left.
"""

import sys
from pathlib import Path

# A program that starts a week finds modules in tests/ only; a module of benchmarks/ writes the figures.
sys.path.append(str(Path(__file__).resolve().parents[2]))
