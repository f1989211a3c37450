// Who stays in the middle of the map: chosen from the list, by a click on the map, or by a key.

const POINT = { name: 'fixed target' };

/** Return who can be followed, in the order of the list. */
const leaders = () => [...(scene.point ? [POINT] : []), ...bodies.filter((body) => body.seen)];

function makeFollowList() {
  const names = leaders().map((body) => new Option(body.name.slice(0, 40)));
  byId('follow').replaceChildren(new Option('nobody'), ...names);
  // A swarm that begins anew has other bodies of the same names, and not all at once.
  const same = leaders().find((body) => camera.follow && body.name === camera.follow.name);
  follow(same || (camera.follow && { name: camera.follow.name }));
}

/** Keep a body in the middle of the map; without one the map stays where it is. */
function follow(body = null) {
  camera.follow = body;
  byId('follow').selectedIndex = leaders().indexOf(body) + 1;
  repaint();
}

function followAloud(body) {
  follow(body);
  say(body ? `The map follows ${body.name}. Esc: nobody.` : 'The map follows nobody.');
}

function moveCamera(time) {
  if (!camera.follow) return;
  const [x, y] = camera.follow === POINT ? scene.point : placeOf(camera.follow, time);
  if (Number.isFinite(x)) Object.assign(camera, { x, y });
}

byId('follow').addEventListener('change', (event) => {
  followAloud(leaders()[event.target.selectedIndex - 1]);
});
bind('f', 'follow the target, or nobody', {
  f: () => followAloud(camera.follow ? null : leaders().find((body) => body === POINT || body === target)),
});
bind('Esc', 'follow nobody', { Escape: () => { if (camera.follow) followAloud(null); } });
makeFollowList();
