"""The live page's server, asked over HTTP and websockets: who is answered, and with what."""

import asyncio
import json
import urllib.error
import urllib.request

import pytest
import websockets

from soliton_encirclement_ros.cli.live.live_page import MOST_WAITING
from soliton_encirclement_ros.cli.live.live_server import PageOrder, is_of_this_computer
from support.live_page import Flight, served


def asked(port, path='/', **headers):
    request = urllib.request.Request(f'http://127.0.0.1:{port}{path}', headers=headers)
    try:
        with urllib.request.urlopen(request) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


async def follow(port, count, origin='its own', path='/feed', say=()):
    """Return some messages of the feed."""
    origin = f'http://127.0.0.1:{port}' if origin == 'its own' else origin
    async with websockets.connect(f'ws://127.0.0.1:{port}{path}', origin=origin) as link:
        for text in say:
            await link.send(text)
        return [json.loads(await link.recv()) for _ in range(count)]


def test_everything_comes_first_and_then_what_is_new():
    said = []
    with served(Flight().feed(), say=said.append) as port:
        assert asked(port) == (200, '<p>page</p>')
        messages = asyncio.run(follow(port, 12))
    assert messages[0]['kind'] == 'begin' and messages[0]['scene']['names'] == ['target', 'uav_1']
    news = [one for one in messages if one['kind'] == 'news']
    count = messages[0]['scene']['count']
    for one in news:
        assert one['first'] <= count <= one['count']  # no row is left out
        count = one['count']
    assert said == []


def test_a_swarm_that_begins_anew_is_told_from_its_begin():
    flight = Flight()

    async def look():
        origin = f'http://127.0.0.1:{port}'
        async with websockets.connect(f'ws://127.0.0.1:{port}/feed', origin=origin) as link:
            await link.recv()
            flight.begins_anew = True
            while True:
                told = json.loads(await link.recv())
                if told['kind'] == 'begin':
                    return told

    with served(flight.feed()) as port:
        assert asyncio.run(look())['scene']['count'] <= 2


@pytest.mark.parametrize(('headers', 'fault'), [
    ({'Host': 'evil.example'}, "host 'evil.example' is not this computer"),
    ({'Host': '127.0.0.1.evil.example:80'}, 'is not this computer'),
    ({'Origin': 'http://evil.example'}, "origin 'http://evil.example' is another site"),
])  # fmt: skip
def test_other_sites_are_refused_and_told_once(headers, fault):
    said = []
    with served(Flight().feed(), say=said.append) as port:
        for _ in range(3):
            code, text = asked(port, **headers)
            assert code == 403 and fault in text
    assert len(said) == 1 and fault in said[0]


@pytest.mark.parametrize('origin', ['http://evil.example', 'null', None])
def test_pages_of_other_sites_get_no_feed(origin):
    refused = pytest.raises(websockets.exceptions.InvalidHandshake)
    said = []
    with served(Flight().feed(), say=said.append) as port, refused:
        asyncio.run(follow(port, 1, origin=origin))
    assert len(said) == 1


def test_with_a_token_nobody_is_answered_without_it():
    with served(Flight().feed(), token='secret') as port:
        assert asked(port)[0] == asked(port, '/?token=wrong')[0] == 403
        assert asked(port, '/?token=secret')[0] == 200
        with pytest.raises(websockets.exceptions.InvalidHandshake):
            asyncio.run(follow(port, 1, path='/feed?token=wrong'))
        assert asyncio.run(follow(port, 1, path='/feed?token=secret'))[0]['kind'] == 'begin'


WORDS = ['{', '[]', '{"kind": "takeoff"}', 'x' * 60_000, '{"verb": "hold"}'] * 200
ORDER = '{"verb": "hold", "members": ["uav_1"], "values": []}'


@pytest.mark.parametrize(('obeys', 'fault'), [
    (False, 'a page sent something, but there is no --operate'),
    (True, 'a page sent what is no order'),
])  # fmt: skip
def test_a_thousand_messages_that_are_no_orders_have_no_effect_and_are_told_once(obeys, fault):
    said, orders = [], []
    obey = (lambda order, _: orders.append(order)) if obeys else None
    with served(Flight().feed(), say=said.append, obey=obey) as port:
        assert asyncio.run(follow(port, 1, say=WORDS))[0]['kind'] == 'begin'
        assert asyncio.run(follow(port, 1))[0]['kind'] == 'begin'
    assert said == [f'refused: {fault}'] and orders == []


@pytest.mark.parametrize(('path', 'origin'), [
    ('/feed?token=wrong', 'its own'), ('/feed?token=%C3%A9', 'its own'), ('/feed', 'its own'),
    ('/feed?token=secret', 'http://evil.example'), ('/feed?token=secret', None),
])  # fmt: skip
def test_orders_of_strangers_are_refused(path, origin):
    orders, said = [], []
    refused = pytest.raises(websockets.exceptions.InvalidHandshake)
    served_ = served(
        Flight().feed(), token='secret', say=said.append, obey=lambda *told: orders.append(told)
    )
    with served_ as port:
        for _ in range(3):
            with refused:
                asyncio.run(follow(port, 1, path=path, origin=origin, say=[ORDER]))
        asyncio.run(follow(port, 1, path='/feed?token=secret', say=[ORDER]))
    assert orders == [(PageOrder('hold', ('uav_1',)), 'page 1 (127.0.0.1)')]
    assert len(said) == 1 and said[0].startswith('refused: ')


def test_all_pages_see_what_is_said_of_orders_also_before_they_came():
    flight = Flight()

    async def look():
        origin = f'http://127.0.0.1:{port}'
        link = lambda: websockets.connect(f'ws://127.0.0.1:{port}/feed', origin=origin)  # noqa: E731
        async with link() as one, link() as two:
            flight.lines = [LINE]
            for page in (one, two):
                while (told := json.loads(await page.recv()))['kind'] != 'line':
                    pass
                assert told == {'kind': 'line', **LINE}
            async with link() as late:
                assert json.loads(await late.recv())['lines'] == [LINE]

    with served(flight.feed()) as port:
        asyncio.run(look())


LINE = {'at': '12:00:00', 'text': 'page 1: hold', 'bad': False}


def test_a_reader_that_stands_still_gets_everything_anew():
    flight = Flight()
    feed = flight.feed()
    reader = feed.join()
    for _ in range(3 * MOST_WAITING):
        flight.began -= 0.05
        feed.look()

    async def first():
        return await reader.next()

    assert asyncio.run(first())['kind'] == 'begin'
    assert reader.waiting <= MOST_WAITING


@pytest.mark.parametrize(('host', 'is_here'), [
    ('localhost', True), ('localhost:8765', True), ('127.0.0.1:80', True), ('[::1]:8765', True),
    ('', False), ('10.0.0.7:8765', False), ('localhost.evil.example', False),
])  # fmt: skip
def test_names_of_this_computer(host, is_here):
    assert is_of_this_computer(host) is is_here
