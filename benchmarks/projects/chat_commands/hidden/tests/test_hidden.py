from chatbot import Bot


def test_others_may_not():
    bot = Bot(["root"])
    bot.command("stop", admin_only=True)(lambda sender: "stopped")
    assert bot.receive("ann", "!stop") == "stop is for administrators"
    assert bot.receive("root", "!stop") == "stopped"


def test_everyone_may_what_is_for_everyone():
    bot = Bot(["root"])
    bot.command("hi")(lambda sender: "hi " + sender)
    assert bot.receive("root", "!hi") == "hi root"
    assert bot.receive("ann", "!HI") == "hi ann"
