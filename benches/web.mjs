#!/usr/bin/env node
// A chain of ten links in the program and in the engine of web pages, in turns.
//
//     crates/web/build && cargo build --release && node benches/web.mjs [LINKS ...]
//
// Times are those of computing, the best of several, without reading, reports and output; the engine runs in Node, which compiles
// WebAssembly as Chromium does. Printed are both and their ratio.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const TURNS = 5;
const unpack = new Function(readFileSync("crates/report/assets/live/lzma.js", "utf8") + "; return unpack;")();
const module = await WebAssembly.compile(unpack(new Uint8Array(readFileSync("target/release/rotula-engine.lzma"))));
const engine = (await WebAssembly.instantiate(module, {})).exports;
const folder = mkdtempSync(join(tmpdir(), "rotula-web-"));

function chain(links) {
  const lines = ["gravity = [0, 0, -9.81]"];
  for (let k = 0; k < links; k++) {
    lines.push(`[body.b${k}]`, "solid = { box = [0.2, 0.02, 0.02], density = 1000 }", `at = [${0.1 + 0.2 * k}, 0, 0]`, `[joint.j${k}]`);
    lines.push(`revolute = { between = ["${k ? `b${k - 1}` : "ground"}", "b${k}"], at = [${0.2 * k}, 0, 0], about = "y" }`);
  }
  return [...lines, "[solve]", 'formulation = "index3"', "step = 1e-3", "until = 5", "output_every = 1", ""].join("\n");
}

function inPage(text) {
  const [name, content] = ["chain.toml", text].map((part) => new TextEncoder().encode(part));
  // asking for room may move the memory
  const start = engine.room(name.length + content.length);
  new Uint8Array(engine.memory.buffer, start, name.length + content.length).set([...name, ...content]);
  engine.begin(name.length);
  const clock = performance.now();
  while (engine.advance(1000) < 1);
  return (performance.now() - clock) / 1000;
}

function inProgram(text) {
  const model = join(folder, "chain.toml");
  writeFileSync(model, text);
  execFileSync("target/release/rotula", ["run", model, "-o", join(folder, "results"), "--quiet"]);
  return JSON.parse(readFileSync(join(folder, "results/summary.json"), "utf8")).wall_seconds;
}

for (const links of process.argv.slice(2).map(Number).concat(process.argv.length > 2 ? [] : [10])) {
  const text = chain(links);
  const [program, page] = [[], []];
  for (let turn = 0; turn < TURNS; turn++) {
    program.push(inProgram(text));
    page.push(inPage(text));
  }
  const [a, b] = [program, page].map((times) => Math.min(...times));
  console.log(`${links} links: program ${a.toFixed(3)} s, page ${b.toFixed(3)} s, ratio ${(b / a).toFixed(2)}`);
}
