"""The version at which answers change, found from the answers alone."""

from pathlib import Path

import pytest

from pytest_pgfeatures.answers.model import Sent, SentColumn, ServerAnswer
from pytest_pgfeatures.behaviors.bisect import Asked, StatementAnswer, newest_of_each_major, turns
from pytest_pgfeatures.errors import InstallNotFoundError
from pytest_pgfeatures.install import Install
from pytest_pgfeatures.scripts.steps import Step
from pytest_pgfeatures.version import PgVersion


def install(version, source="path"):
    return Install(PgVersion(version), source, Path("/nowhere"), frozenset())


def asked(version, *answers):
    return Asked(install(version), answers, ())


STEPS = [Step("file", 1, "SELECT a FROM t")]
COLUMNS = (SentColumn("a", 23, "integer"),)


def answer(sqlstate=None, result=("1",), plan="Result"):
    sent = () if sqlstate else (Sent(COLUMNS, tuple((value,) for value in result), "SELECT 1"),)
    return StatementAnswer(ServerAnswer(sent, (), sqlstate), plan)


@pytest.mark.parametrize(
    ("before", "since", "what"),
    [
        (answer(), answer(), None),
        (answer(), answer("42601"), "refused"),
        (answer("42601"), answer(), "accepted"),
        (answer("42601"), answer("22P02"), "other error"),
        (answer(), answer(result=("2",)), "other result"),
        (answer(result=("1", "2")), answer(result=("2", "1")), None),
        (answer(), answer(plan="Seq Scan"), "other plan"),
        (answer(), answer(result=("2",), plan="Seq Scan"), "other result"),
    ],
)
def test_how_an_answer_differs(before, since, what):
    found = list(turns(STEPS, [asked("15.1", before), asked("16.1", since)]))
    assert [turn.what for turn in found] == ([what] if what else [])


def test_every_change_is_found_with_both_versions():
    answers = [
        asked("14.3", answer()),
        asked("15.2", answer("42601")),
        asked("16.1", answer()),
        asked("17.0", answer()),
    ]
    found = [(str(turn.before.version), str(turn.since.version), turn.what) for turn in turns(STEPS, answers)]
    assert found == [("14.3", "15.2", "refused"), ("15.2", "16.1", "accepted")]


def test_the_newest_release_of_each_major_is_asked():
    at_hand = [install("16.2"), install("15.4"), install("16.15", "pypi"), install("9.6.24")]
    assert [str(found.version) for found in newest_of_each_major(at_hand)] == ["9.6.24", "15.4", "16.15"]


def test_one_major_is_too_few():
    with pytest.raises(InstallNotFoundError, match="fewer than two majors"):
        newest_of_each_major([install("16.2"), install("16.15")])
