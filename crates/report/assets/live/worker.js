// The engine in a thread of its own. One run at a time; a new one takes the place of the one before.
const [encoder, decoder] = [new TextEncoder(), new TextDecoder()];
// Milliseconds between looks at what the page wants.
const SLICE = 25;
let [engine, current] = [null, null];

// Writes a name and what it names; returns the length of the name.
function write(name, content) {
  const [first, second] = [encoder.encode(name), typeof content === "string" ? encoder.encode(content) : content];
  const start = engine.room(first.length + second.length);
  const room = new Uint8Array(engine.memory.buffer, start, first.length + second.length);
  room.set(first);
  room.set(second, first.length);
  return first.length;
}

const answer = () => decoder.decode(new Uint8Array(engine.memory.buffer, engine.answer_start(), engine.answer_length()));

const channel = new MessageChannel();
// Lets messages of the page in.
const breath = () =>
  new Promise((done) => {
    channel.port1.onmessage = done;
    channel.port2.postMessage(0);
  });

async function run({ id, name, source }) {
  current = { id, stopped: false };
  const own = current;
  const begun = performance.now();
  engine.begin(write(name, source));
  const facts = JSON.parse(answer());
  if (facts.fault) return postMessage({ id, kind: "refused", facts });
  let [steps, part, shown] = [1, 0, 0];
  while (part < 1 && !own.stopped) {
    const slice = performance.now();
    part = engine.advance(steps);
    const now = performance.now();
    const factor = SLICE / Math.max(now - slice, 0.01);
    steps = Math.max(1, Math.min(1e6, Math.round(steps * Math.min(factor, 4))));
    if (now - shown > 100) {
      shown = now;
      postMessage({ id, kind: "progress", part, t: engine.reached() });
    }
    await breath();
    if (current !== own) return;
  }
  const seconds = (performance.now() - begun) / 1000;
  engine.conclude(seconds);
  postMessage({ id, kind: "done", page: answer(), seconds });
}

const tasks = {
  async open({ packed, files }) {
    engine = (await WebAssembly.instantiate(unpack(packed), {})).instance.exports;
    for (const [name, content] of Object.entries(files)) engine.give(write(name, content));
    postMessage({ kind: "ready" });
  },
  files({ files }) {
    for (const [name, content] of Object.entries(files)) engine.give(write(name, content));
  },
  check({ id, name, source }) {
    engine.check(write(name, source));
    postMessage({ id, kind: "checked", facts: JSON.parse(answer()) });
  },
  table({ id }) {
    engine.table();
    postMessage({ id, kind: "table", table: answer() });
  },
  run,
  stop() {
    if (current) current.stopped = true;
  },
};

addEventListener("message", async ({ data }) => {
  try {
    await tasks[data.kind](data);
  } catch (error) {
    postMessage({ id: data.id, kind: "broken", message: String(error) });
  }
});
