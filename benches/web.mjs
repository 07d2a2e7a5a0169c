#!/usr/bin/env node
// The program and the engine of web pages, in turns: times and, for models, motions.
//
//     crates/web/build && cargo build --release && node benches/web.mjs [LINKS ...] [MODEL.toml ...] [--turns 5] [--json FILE]
//
// Numbers are chains of so many links, by default ten. Times are those of computing, the best of several, without reading, reports and
// output; the engine runs in Node, which compiles WebAssembly as Chromium does. Printed are both and their ratio. Of models also the largest
// difference of any place, angle or velocity, over the largest value of that column, or how the tables differ in shape; at the end, how many
// agree to 1e-9, and the mean and the largest ratio of models that take longer than a tenth of a second.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";

// Models that take longer are run once.
const LONG = 1;
const MOTION = /\.(x|y|z|vx|vy|vz|wx|wy|wz|angle|displacement)$/;

const unpack = new Function(readFileSync("crates/report/assets/live/lzma.js", "utf8") + "; return unpack;")();
const module = await WebAssembly.compile(unpack(new Uint8Array(readFileSync("target/release/rotula-engine.lzma"))));
const folder = mkdtempSync(join(tmpdir(), "rotula-web-"));
const encoder = new TextEncoder();

function chain(links) {
  const lines = ["gravity = [0, 0, -9.81]"];
  for (let k = 0; k < links; k++) {
    lines.push(`[body.b${k}]`, "solid = { box = [0.2, 0.02, 0.02], density = 1000 }", `at = [${0.1 + 0.2 * k}, 0, 0]`, `[joint.j${k}]`);
    lines.push(`revolute = { between = ["${k ? `b${k - 1}` : "ground"}", "b${k}"], at = [${0.2 * k}, 0, 0], about = "y" }`);
  }
  return [...lines, "[solve]", 'formulation = "index3"', "step = 1e-3", "until = 5", "output_every = 1", ""].join("\n");
}

// A model with the files that it names, as the playground holds it.
function held(file) {
  const page = join(folder, "playground.html");
  execFileSync("target/release/rotula", ["playground", file, "-o", page]);
  return JSON.parse(readFileSync(page, "utf8").match(/<script id="models" type="application\/json">(.*?)<\/script>/s)[1])[0];
}

const rowsOf = (csv) => csv.trim().split("\n").map((line) => line.split(","));

// Seconds, and the table.
function inPage({ name, text, files }) {
  // an engine of its own, as each page has
  const engine = new WebAssembly.Instance(module, {}).exports;
  const write = (name, content) => {
    const [first, second] = [encoder.encode(name), typeof content === "string" ? encoder.encode(content) : content];
    // asking for room may move the memory
    const start = engine.room(first.length + second.length);
    new Uint8Array(engine.memory.buffer, start, first.length).set(first);
    new Uint8Array(engine.memory.buffer, start + first.length, second.length).set(second);
    return first.length;
  };
  const answer = () => new TextDecoder().decode(new Uint8Array(engine.memory.buffer, engine.answer_start(), engine.answer_length()));
  for (const [name, content] of Object.entries(files)) engine.give(write(name, Buffer.from(content, "base64")));
  engine.begin(write(name, text));
  const { fault } = JSON.parse(answer());
  if (fault) throw new Error(`${name}: ${fault.message}`);
  const clock = performance.now();
  while (engine.advance(1000) < 1);
  const seconds = (performance.now() - clock) / 1000;
  engine.conclude(seconds);
  engine.table();
  return { seconds, rows: rowsOf(answer()) };
}

function inProgram(file) {
  const results = join(folder, "results");
  rmSync(results, { recursive: true, force: true });
  execFileSync("target/release/rotula", ["run", file, "-o", results, "--quiet"], { stdio: ["ignore", "ignore", "ignore"] });
  const { wall_seconds: seconds } = JSON.parse(readFileSync(join(results, "summary.json"), "utf8"));
  return { seconds, rows: rowsOf(readFileSync(join(results, "trajectory.csv"), "utf8")) };
}

// Both in turns: best times and tables.
function both(file, model) {
  const [program, page] = [[], []];
  do {
    program.push(inProgram(file));
    page.push(inPage(model));
  } while (program.length < turns && page[0].seconds < LONG);
  const best = (runs) => Math.min(...runs.map(({ seconds }) => seconds));
  return { program: best(program), page: best(page), rows: [program[0].rows, page[0].rows] };
}

// The largest difference of motions over the size of their columns; a text where the tables have different shapes.
function apart([a, b]) {
  if (a[0].join() !== b[0].join()) return "other columns";
  if (a.length !== b.length) return `${b.length - 1} rows for ${a.length - 1}`;
  const columns = a[0].map((heading, column) => {
    if (!MOTION.test(heading)) return 0;
    const [mine, yours] = [a, b].map((rows) => rows.slice(1).map((row) => Number(row[column])));
    const size = Math.max(1e-3, ...mine.map(Math.abs));
    return Math.max(...mine.map((value, k) => Math.abs(value - yours[k]))) / size;
  });
  return Math.max(...columns);
}

const asked = process.argv.slice(2);
const option = (name, other) => (asked.includes(name) ? asked.splice(asked.indexOf(name), 2)[1] : other);
const json = option("--json", null);
const turns = Number(option("--turns", 5));
const found = {};
for (const choice of asked.length ? asked : ["10"]) {
  const isModel = choice.endsWith(".toml");
  const file = isModel ? choice : join(folder, "chain.toml");
  if (!isModel) writeFileSync(file, chain(Number(choice)));
  const name = isModel ? basename(choice, ".toml") : `${choice} links`;
  try {
    const { program, page, rows } = both(file, isModel ? held(file) : { name: "chain.toml", text: chain(Number(choice)), files: {} });
    found[name] = { program, page, ratio: page / program, apart: apart(rows) };
    const difference = typeof found[name].apart === "number" ? found[name].apart.toExponential(1) : found[name].apart;
    console.log(`${name}: program ${program.toFixed(3)} s, page ${page.toFixed(3)} s, ratio ${(page / program).toFixed(2)}, apart ${difference}`);
  } catch (error) {
    console.log(`${name}: ${String(error.message).split("\n")[0]}`);
  }
}
const all = Object.values(found);
if (all.length > 1) {
  const long = all.filter(({ program }) => program > 0.1).map(({ ratio }) => ratio);
  const mean = Math.exp(long.reduce((sum, ratio) => sum + Math.log(ratio), 0) / long.length);
  console.log(`${all.filter(({ apart }) => apart <= 1e-9).length} of ${all.length} agree to 1e-9; ratio ${mean.toFixed(2)} in the mean, ${Math.max(...long).toFixed(2)} at most`);
}
if (json) writeFileSync(json, JSON.stringify(found, null, 1) + "\n");
rmSync(folder, { recursive: true, force: true });
