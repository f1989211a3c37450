// From picture to picture, and from event to event.

const leap = (event) => (event.shiftKey ? 10 : 1);

/** Show the picture some steps on, or back, and stand still there. */
function stepPictures(steps) {
  play(false);
  const at = picturesTo(clock.time);
  // Between two pictures the first step leads to the nearer side of both.
  const from = steps > 0 ? Math.floor(at + 1e-3) : Math.ceil(at - 1e-3);
  seek(scene.first + (from + steps) * scene.step);
}

/** Return what happened and when, in order. */
function happenings() {
  const events = data.events.filter(([, name]) => !isHidden(name))
    .map(([time, name, failed, , text]) => [time, `${name}: ${text || (failed ? 'down' : 'up again')}`]);
  return [...events, ...data.changes].sort(([one], [other]) => one - other);
}

/** Go to the next event, or back to the one before. */
function seekEvent(step) {
  const known = happenings();
  // Who watches the present has seen all of it, though the picture comes a little later.
  const now = clock.following ? Infinity : clock.time;
  // While it plays, the event that is just over is not the one before.
  const over = clock.playing ? clock.speed : 1e-3;
  const found = step > 0 ? known.find(([time]) => time > now + 1e-3)
    : [...known].reverse().find(([time]) => time < now - over);
  if (!found) {
    say(step > 0 ? 'No event after this time.' : 'No event before this time.');
    return;
  }
  seek(found[0]);
  const texts = known.filter(([time]) => time === found[0]).map(([, text]) => text);
  say(`${clockText(found[0])}  ${texts.join('; ')}`);
}

let silence = 0;
/** Say something on the map for a few seconds. */
function say(text) {
  byId('said').textContent = text;
  clearTimeout(silence);
  silence = setTimeout(() => { byId('said').textContent = ''; }, 6000);
}

bind('Space', 'play or pause', { ' ': () => play(!isMoving()) });
bind('← →', '1 s back or on; with shift 10 s', {
  ArrowLeft: (event) => seek(clock.time - leap(event)),
  ArrowRight: (event) => seek(clock.time + leap(event)),
});
bind(', .', 'one picture back or on', { ',': () => stepPictures(-1), '.': () => stepPictures(1) });
bind('p n', 'previous, next event', { p: () => seekEvent(-1), n: () => seekEvent(1) });
bind('Home End', 'begin, end', { Home: () => seek(clock.begin), End: () => seek(clock.end) });

byId('earlier').addEventListener('click', () => seekEvent(-1));
byId('later').addEventListener('click', () => seekEvent(1));
byId('back').addEventListener('click', () => stepPictures(-1));
byId('on').addEventListener('click', () => stepPictures(1));
