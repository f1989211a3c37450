// The one time that replay, cursors and scrub bar show.

const clock = {
  time: data.begin,
  hover: null, // a time that the pointer asks for while nothing plays
  playing: false,
  following: false, // the present, where there is one
  speed: 1,
  begin: data.begin,
  end: data.end,
  frames: 0,
};
const painters = [];
let asked = false;
let before = 0;

const shownTime = () => (clock.playing || clock.hover === null ? clock.time : clock.hover);

function repaint() {
  if (asked) return;
  asked = true;
  requestAnimationFrame(frame);
}

function frame(now) {
  asked = false;
  // A tab that slept does not jump ahead.
  if (clock.playing) advance(Math.min(0.25, (now - before) / 1000));
  before = now;
  clock.frames += 1;
  const time = shownTime();
  for (const paint of painters) paint(time, now);
  if (clock.playing) repaint();
}

function advance(seconds) {
  clock.time = Math.min(clock.end, clock.time + seconds * clock.speed);
  if (clock.time >= clock.end) clock.playing = false;
}

function seek(time) {
  clock.following = false;
  clock.time = Math.max(clock.begin, Math.min(clock.end, time));
  repaint();
}

function hoverAt(time) {
  if (clock.hover === time) return;
  clock.hover = time;
  if (!clock.playing) repaint();
}

const isMoving = () => clock.playing || clock.following;

function play(on) {
  clock.following = false;
  if (on && clock.time >= clock.end) clock.time = clock.begin;
  clock.playing = on && clock.end > clock.begin;
  before = performance.now();
  repaint();
}
