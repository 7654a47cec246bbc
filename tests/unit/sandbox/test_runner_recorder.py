"""What a probe records of the calls that tests make."""

import asyncio

from every_case import every_case

from sandbox.runner.probe_recorder import CallRecorder


def plain(n, *rest, key=0, **more):
    n += 1
    return n


def generator(n):
    while n:
        yield n
        n -= 1


def delegating(n):
    yield from range(n)
    n = 7
    yield n


async def waiting(n):
    await asyncio.sleep(0)
    n = 8  # noqa: F841 - the argument is another one from here on
    await asyncio.sleep(0)


async def asynchronous(n):
    for number in range(2):
        n = 9  # noqa: F841
        yield number


async def consume(n):
    return [number async for number in asynchronous(n)]


def recorded(function, run):
    code = function.__code__
    recorder = CallRecorder({(code.co_filename, code.co_name, code.co_firstlineno): 0})
    recorder.start()
    try:
        run()
    finally:
        recorder.stop()
    assert recorder.skipped == 0
    return [(call.positional, call.named) for call in recorder.calls]


def test_a_call_is_recorded_as_it_was_made():
    calls = recorded(plain, lambda: [plain(1), plain(1), plain(2, 3, key=4, other=5)])
    assert calls == [((1,), {"key": 0}), ((2, 3), {"key": 4, "other": 5})]


@every_case(
    ("function", "run"),
    [
        (generator, lambda: list(generator(3))),
        (delegating, lambda: list(delegating(3))),
        (waiting, lambda: asyncio.run(waiting(3))),
        (asynchronous, lambda: asyncio.run(consume(3))),
    ],
)
def test_what_goes_on_is_not_called_again(function, run):
    assert recorded(function, run) == [((3,), {})]
