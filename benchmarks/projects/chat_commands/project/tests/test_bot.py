import pytest

from chatbot import Bot
from chatbot.parsing import parse


def make_bot(*admins):
    bot = Bot(admins)

    @bot.command("echo", "say")
    def echo(sender, text):
        return f"{sender}: {text}"

    @bot.command("mute", admin_only=True)
    def mute(sender, who):
        bot.silenced.add(who)
        return f"{who} is silent now"

    return bot


@pytest.fixture
def bot():
    return make_bot("root")


def test_parse():
    assert parse('!Echo "two words" x') == ("echo", ["two words", "x"])
    assert parse("hello") is None
    assert parse("!") is None
    assert parse('!echo "') is None


def test_answer(bot):
    assert bot.receive("ann", "!say hello") == "ann: hello"


def test_unknown(bot):
    assert bot.receive("ann", "!fly") == "no such command: fly"


def test_arguments(bot):
    assert bot.receive("ann", "!echo") == "echo: wrong number of arguments"


def test_administrators_may(bot):
    assert bot.receive("root", "!mute ann") == "ann is silent now"
    assert bot.receive("ann", "!say hello") is None


def test_without_administrators_nobody_may():
    assert make_bot().receive("ann", "!mute root") == "mute is for administrators"


def test_names(bot):
    assert bot.names("ann") == ["echo", "say"]
    assert bot.names("root") == ["echo", "mute", "say"]
