"""What the tests of ci jobs share."""

from sections import sections

CI = ".github/workflows/ci.yml"


SOURCES = sections("sources/ci_jobs_support.txt")[0].parts
WORKFLOW = SOURCES["WORKFLOW"]
