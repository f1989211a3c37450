// The page carries its data and its scripts as one compressed text: a third of their size.

const carried = {};

async function inflate(text) {
  const raw = atob(text);
  const bytes = Uint8Array.from(raw, (sign) => sign.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Response(stream).text();
}

async function begin() {
  if (!('DecompressionStream' in window)) {
    document.getElementById('old').hidden = false;
    return;
  }
  Object.assign(carried, JSON.parse(await inflate(document.getElementById('packed').textContent)));
  for (const text of carried.scripts) {
    const script = document.createElement('script');
    script.textContent = text;
    document.body.append(script);
  }
}
begin();
