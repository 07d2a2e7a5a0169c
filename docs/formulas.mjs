// Sets every formula of the pages once, so that one that KaTeX does not understand is found before a reader finds it:
//   node docs/formulas.mjs
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const source = join(dirname(fileURLToPath(import.meta.url)), "src");
const katex = createRequire(import.meta.url)("./src/generated/katex/katex.min.js");
const pages = readdirSync(source, { recursive: true }).filter((name) => name.endsWith(".md"));
let count = 0;
let wrong = 0;
for (const page of pages) {
  const text = readFileSync(join(source, page), "utf8");
  const blocks = [...text.matchAll(/^```math\n([\s\S]*?)^```/gm)].map((match) => [match[1], true]);
  const inline = [...text.matchAll(/\$`([^`]+)`\$/g)].map((match) => [match[1], false]);
  for (const [formula, displayMode] of [...blocks, ...inline]) {
    count += 1;
    try {
      katex.renderToString(formula, { displayMode, throwOnError: true, strict: "error" });
    } catch (error) {
      wrong += 1;
      console.error(`${page}: ${error.message}\n  ${formula.trim()}`);
    }
  }
}
console.log(`${count} formulas, ${wrong} of them wrong`);
process.exitCode = wrong === 0 && count > 0 ? 0 : 1;
