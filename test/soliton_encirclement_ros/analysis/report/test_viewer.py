"""The viewer by its keys and buttons: steps, events, who is followed, links, the list of keys."""

import pytest

from support.recorded.browser import DESKTOP, NEXT_FRAME, chromium, opened, until

__all__ = ['chromium']

SAID = 'document.getElementById("said").textContent'
FOLLOWED = 'report.camera.follow && report.camera.follow.name'
ON_THE_MAP = """([name, time]) => {
  const c = report.camera, b = report.bodies.find((one) => one.name === name);
  const i = Math.round(time / 0.1);
  return [c.width / 2 + (b.x[i] - c.x) * c.scale, c.height / 2 - (b.y[i] - c.y) * c.scale];
}"""


def now(page):
    return page.evaluate('report.clock.time')


def chosen(page, name):
    return page.evaluate(f'document.getElementById("{name}").selectedOptions[0].textContent')


def test_speeds_are_from_a_quarter_to_sixteen_times(shown):
    speeds = shown.locator('#speed option').all_inner_texts()
    assert (speeds[0], speeds[-1]) == ('0.25×', '16×')


def test_comma_and_dot_step_from_picture_to_picture_and_stand_still(shown):
    shown.evaluate('report.seek(5.03); report.play(true)')
    shown.keyboard.press('.')
    at = now(shown)
    assert not shown.evaluate('report.clock.playing')
    assert at == pytest.approx(round(at, 1), abs=1e-9) and at > 5.03
    shown.keyboard.press('.')
    assert now(shown) == pytest.approx(at + 0.1)
    shown.keyboard.press(',')
    shown.keyboard.press(',')
    assert now(shown) == pytest.approx(at - 0.1)
    shown.evaluate('report.seek(5.03)')
    shown.keyboard.press(',')
    assert now(shown) == pytest.approx(5.0)
    shown.get_by_label('One picture on').click()
    assert now(shown) == pytest.approx(5.1)


def test_keys_and_buttons_lead_from_event_to_event_and_say_what_it_was(shown, findings):
    down, up = (one.event.time for one in findings.closings)
    shown.keyboard.press('n')
    assert now(shown) == pytest.approx(down)
    assert 'uav_2: down' in shown.evaluate(SAID)
    shown.get_by_label('Next event').click()
    assert now(shown) == pytest.approx(up)
    assert 'uav_2: up again' in shown.evaluate(SAID)
    shown.keyboard.press('n')
    assert now(shown) == pytest.approx(up)
    assert 'No event after' in shown.evaluate(SAID)
    shown.keyboard.press('p')
    assert now(shown) == pytest.approx(down)
    shown.get_by_label('Previous event').click()
    assert now(shown) == pytest.approx(down)


def test_events_of_who_is_hidden_are_passed_over(shown):
    shown.locator('.chip[data-name=uav_2]').click()
    shown.keyboard.press('n')
    assert now(shown) == 0.0


def test_while_it_plays_the_event_that_is_just_over_is_not_the_previous_one(shown, findings):
    down, up = (one.event.time for one in findings.closings)
    shown.evaluate(f'report.seek({up + 0.3}); report.play(true)')
    shown.keyboard.press('p')
    assert down <= now(shown) < up


def test_a_click_on_a_vehicle_keeps_it_in_the_middle_until_escape(shown):
    x, y = shown.evaluate(ON_THE_MAP, ['uav_1', 0.0])
    shown.locator('#canvas').click(position={'x': x, 'y': y})
    assert shown.evaluate(FOLLOWED) == 'uav_1'
    assert chosen(shown, 'follow') == 'uav_1'
    shown.evaluate('report.seek(12)')
    shown.evaluate(NEXT_FRAME)
    width, height = shown.evaluate('[report.camera.width, report.camera.height]')
    assert shown.evaluate(ON_THE_MAP, ['uav_1', 12.0]) == pytest.approx([width / 2, height / 2])
    shown.keyboard.press('Escape')
    assert shown.evaluate(FOLLOWED) is None
    assert chosen(shown, 'follow') == 'nobody'


def test_a_second_click_on_it_ends_it(shown):
    x, y = shown.evaluate(ON_THE_MAP, ['uav_1', 0.0])
    shown.locator('#canvas').click(position={'x': x, 'y': y})
    shown.evaluate(NEXT_FRAME)
    middle = shown.evaluate('({ x: report.camera.width / 2, y: report.camera.height / 2 })')
    shown.locator('#canvas').click(position=middle)
    assert shown.evaluate(FOLLOWED) is None


def test_the_list_has_all_who_were_seen_and_escape_works_in_it(shown):
    names = shown.locator('#follow option').all_inner_texts()
    assert names == ['nobody', *(f'uav_{k}' for k in range(1, 6)), 'target', 'adversary']
    shown.locator('#follow').select_option('adversary')
    assert shown.evaluate(FOLLOWED) == 'adversary'
    shown.locator('#follow').focus()
    shown.keyboard.press('Escape')
    assert shown.evaluate(FOLLOWED) is None


def test_f_follows_the_target_or_nobody(shown):
    shown.keyboard.press('f')
    assert shown.evaluate(FOLLOWED) == 'target'
    shown.keyboard.press('f')
    assert shown.evaluate(FOLLOWED) is None


def test_the_address_leads_to_the_moment_at_which_time_stands_still(shown):
    shown.evaluate('report.seek(7.25)')
    until(shown, 'location.hash === "#t=7.25"')
    shown.evaluate('report.play(true)')
    until(shown, 'report.clock.time > 7.6')
    shown.keyboard.press('Space')
    at = now(shown)
    until(shown, f'location.hash === "#t={round(at, 2):g}"')
    assert now(shown) == at


def test_a_link_opens_at_its_moment_and_stands_still(chromium, page_file):
    with chromium.tab(**DESKTOP) as page:
        page.goto(f'{page_file.as_uri()}#t=12.5')
        until(page, 'Boolean(window.report && window.report.panels)')
        assert now(page) == 12.5
        assert not page.evaluate('report.clock.playing')
        page.evaluate('report.play(true)')
        page.evaluate('location.hash = "t=3"')
        until(page, 'report.clock.time === 3')
        assert not page.evaluate('report.clock.playing')


@pytest.mark.parametrize('text', ['t=', 't=-', 't=soon', 'multiples-title', 't=1;alert(1)'])
def test_an_address_that_names_no_moment_is_left_alone(chromium, page_file, text):
    with chromium.tab(**DESKTOP) as page:
        page.goto(f'{page_file.as_uri()}#{text}')
        until(page, 'Boolean(window.report && window.report.panels)')
        assert now(page) == 0.0


def test_a_link_is_copied_or_the_address_says_it(shown):
    shown.evaluate('report.seek(4)')
    shown.get_by_role('button', name='Copy link').click()
    until(shown, f'{SAID}.includes("4.0 s")')
    assert shown.evaluate('location.hash') == '#t=4'


def test_a_question_mark_opens_the_list_of_all_keys_and_closes_it(shown):
    shown.keyboard.press('?')
    assert shown.locator('#help').is_visible()
    listed = set(shown.locator('#keys kbd').all_inner_texts())
    assert listed >= {'?', 'Space', ',', '.', 'p', 'n', 'f', 'Esc', '0', '3', 'l', 'Home', 'End'}
    shown.keyboard.press('n')
    assert now(shown) == 0.0
    shown.keyboard.press('?')
    assert shown.locator('#help').is_hidden()
    shown.get_by_label('List of keys').click()
    shown.keyboard.press('Escape')
    assert shown.locator('#help').is_hidden()


def test_a_link_to_a_moment_loads_nothing_else(chromium, page_file):
    with opened(chromium, page_file, **DESKTOP) as page:
        page.evaluate('report.seek(2)')
        until(page, 'location.hash === "#t=2"')
