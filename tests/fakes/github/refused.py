"""What the stand-in refuses a request with."""

from collections.abc import Mapping, Sequence


class Refused(Exception):
    """What the stand-in answers with a status of 400 or more."""

    def __init__(
        self,
        status: int,
        message: str,
        *,
        errors: Sequence[object] = (),
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(message)
        self.status, self.message, self.errors, self.headers = (
            status,
            message,
            list(errors),
            dict(headers or {}),
        )
