"""Motors are stopped only for somebody who means it."""

import pytest
import typer

from soliton_encirclement_ros.cli.fly import fly_verbs
from soliton_encirclement_ros.cli.fly.fly_verbs import confirm_kill
from soliton_encirclement_ros.core.errors import RunError


@pytest.fixture
def terminal(monkeypatch):
    """Return the answers of somebody at a terminal, and what he was asked."""
    said = {'confirm': True, 'prompt': 'uav_3', 'asked': []}

    def confirm(text, abort):
        said['asked'].append(text)
        if abort and not said['confirm']:
            raise typer.Abort
        return True

    def prompt(text):
        said['asked'].append(text)
        return said['prompt']

    monkeypatch.setattr(fly_verbs.sys, 'stdin', type('Tty', (), {'isatty': lambda _: True})())
    monkeypatch.setattr(fly_verbs.typer, 'confirm', confirm)
    monkeypatch.setattr(fly_verbs.typer, 'prompt', prompt)
    return said


def test_it_is_asked_twice(terminal):
    confirm_kill(['uav_3'], False, False)
    assert terminal['asked'] == [
        'Stop the motors of uav_3? In the air that is a fall', 'Type uav_3 to let it fall'
    ]  # fmt: skip


def test_all_are_confirmed_by_the_word_all(terminal):
    terminal['prompt'] = 'all'
    confirm_kill([], True, False)
    assert 'the motors of all vehicles' in terminal['asked'][0]


@pytest.mark.parametrize('answer', [{'confirm': False}, {'prompt': 'uav_1'}, {'prompt': ''}])
def test_any_other_answer_ends_it(terminal, answer):
    terminal.update(answer)
    with pytest.raises(typer.Abort):
        confirm_kill(['uav_3'], False, False)


def test_who_is_sure_is_not_asked(terminal):
    confirm_kill(['uav_3'], False, True)
    assert terminal['asked'] == []


@pytest.mark.parametrize(('names', 'everybody'), [([], False), (['uav_3'], True)])
def test_it_must_be_said_who_is_meant(names, everybody):
    with pytest.raises(RunError, match='name the vehicles, or --all'):
        confirm_kill(names, everybody, True)


def test_without_a_terminal_nobody_can_be_asked(monkeypatch):
    monkeypatch.setattr(fly_verbs.sys, 'stdin', type('Pipe', (), {'isatty': lambda _: False})())
    with pytest.raises(RunError, match='there is no terminal: add --yes-let-it-fall'):
        confirm_kill(['uav_3'], False, False)
