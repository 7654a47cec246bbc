"""Fourteen real GitHub Actions logs, kept outside the repository; the facts were read from them with grep."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from bot.cilog import LogStatus, read_log

pytestmark = pytest.mark.shared_data

GRPC = "tests/yatai/test_grpc_server_interceptor.py::TestMetrics"
STARTED = "grpc_server_started_total_grpc_method_Execute_grpc_service_bentoml_MockService_grpc_type_UNARY_"
SUPERCELL = "tests/transformations/test_advanced_transformations.py::TestCubicSupercellTransformation"
EDISP = "gammapy/irf/edisp/tests/test_kernel.py::TestEDispKernel"

# name: sessions, failed, errors, some of the node ids
PYTEST_LOGS = {
    "2024423709": (
        1,
        26,
        10,
        {
            "gammapy/datasets/tests/test_map.py::test_downsample_energy",
            "gammapy/irf/edisp/tests/test_map.py::test_edisp_from_diagonal_response[180d -90d]",
            "gammapy/modeling/models/tests/test_spatial.py::test_sky_diffuse_constant",
            f"{EDISP}::test_peek",
        },
    ),
    "2163834915": (
        1,
        1,
        0,
        {"tests/test_core.py::test_sys_entities_normalized_token_span[ok 2:30pm now-valid_spans10-sys_time]"},
    ),
    "2283578153": (
        1,
        1,
        0,
        {"gammapy/irf/psf/tests/test_parametric.py::test_psf_king_containment_radius"},
    ),
    "2360239904": (
        1,
        10,
        0,
        {
            "tests/deployment/sagemaker/test_sagemaker.py::test_sagemaker_apply_success",
            f"{GRPC}::test_grpc_server_metrics_0_{STARTED}",
        },
    ),
    "2424147467": (
        1,
        1,
        0,
        {"functional/autoprompt/test_prompttoolkit.py::TestCompletions::test_switch_to_multicolumn_mode"},
    ),
    "2512030835": (1, 0, 5, {"kubernetes/e2e_test/test_apps.py", "kubernetes/e2e_test/test_watch.py"}),
    "27666867032": (
        1,
        1,
        0,
        {
            f"{SUPERCELL}::test_apply_transformation",
        },
    ),
    # Every test passes; the block in this log stands under XFAILURES.
    "27403903613": (1, 0, 0, set()),
    # Five attempts, each ended by a segmentation fault.
    "2512083654": (5, 0, 0, set()),
}

NOT_PYTEST = {
    "2468864400": "Django fails to start",
    "2496945256": "unittest",
    "2506527647": "unittest",
    "2511279398": "unittest, all passing",
    "2516961170": "unittest",
}


@pytest.fixture(scope="module")
def logs():
    root = os.environ.get("REGREEN_SHARED_DATA")
    if not root:
        pytest.skip("REGREEN_SHARED_DATA does not name the directory of the real logs")
    return Path(root) / "cilogs"


def reading_of(path: Path):
    with path.open("rb") as stream:
        return read_log(stream)


@pytest.mark.parametrize("name", PYTEST_LOGS)
def test_finds_the_failures_of_a_real_log(logs, name):
    runs, failed, errors, some = PYTEST_LOGS[name]
    reading = reading_of(logs / f"{name}.log")

    assert reading.runs == runs
    assert sum(one.status is LogStatus.FAILED for one in reading.failures) == failed
    assert sum(one.status is LogStatus.ERROR for one in reading.failures) == errors
    assert some <= {one.test for one in reading.failures}
    for one in reading.failures:
        assert one.exception, one.test
        assert one.line, one.test


@pytest.mark.parametrize("name", NOT_PYTEST, ids=[f"{name}-{why}" for name, why in NOT_PYTEST.items()])
def test_no_pytest_failures_here(logs, name):
    reading = reading_of(logs / f"{name}.log")

    assert reading.runs == 0
    assert reading.failures == ()


def test_the_expectations_cover_every_real_log(logs):
    assert {path.stem for path in logs.glob("*.log")} == PYTEST_LOGS.keys() | NOT_PYTEST.keys()


def test_a_segmentation_fault_is_noted_with_the_test_that_ran(logs):
    reading = reading_of(logs / "2512083654.log")

    assert reading.truncated
    assert (
        "Fatal Python error: Segmentation fault in spyder/app/tests/test_mainwindow.py::test_varexp_rename"
        in reading.problems
    )


def test_a_syntax_error_far_from_the_test_is_placed(logs):
    failure = reading_of(logs / "2512030835.log").failures[0]

    assert failure.exception == "SyntaxError"
    assert (failure.path, failure.line) == ("kubernetes/config/exec_provider.py", 74)


def test_the_comparison_of_a_real_assertion(logs):
    failure = reading_of(logs / "2163834915.log").failures[0]

    assert failure.comparison is not None
    assert (failure.comparison.left, failure.comparison.operator) == ("(1, 2)", "in")
    assert failure.comparison.right == "{(1, 1), (2, 2)}"
    assert (failure.path, failure.line) == ("tests/test_core.py", 430)
