// The book in a browser. Run after docs/build has made results/book.
import assert from "node:assert/strict";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { Browser } from "../browser/browser.mjs";

const book = "results/book";
let browser;
before(async () => (browser = await Browser.start()));
after(() => browser.stop());

// Waits until KaTeX has set all formulas.
const set = `new Promise((done, fail) => {
  const begin = Date.now();
  const look = () => {
    if (document.body.dataset.formulas === "set") done();
    else if (Date.now() - begin > 15000) fail(new Error("the formulas are not set"));
    else setTimeout(look, 50);
  };
  look();
})`;

for (const [name, formulas, pictures] of [["tutorial", 0, 1], ["tutorial-contact", 2, 1], ["joints", 0, 19], ["forces", 0, 20], ["choosing", 0, 3], ["theory/nonsmooth", 5, 0]])
  test(`${name}: formulas, pictures, no complaint`, async () => {
    const page = await browser.open(`${book}/${name}.html`);
    try {
      await page.value(set);
      const found = await page.value(`({
        formulas: document.querySelectorAll("main .katex").length,
        wrong: document.querySelectorAll("main .katex-error, main code.formula-block, main code.language-math").length,
        pictures: [...document.querySelectorAll("main img")].map((image) => [image.getAttribute("src"), image.complete && image.naturalWidth]),
        heading: document.querySelector("main h1")?.textContent,
      })`);
      assert.ok(found.heading, "there is a heading");
      assert.equal(found.wrong, 0);
      assert.ok(found.formulas >= formulas, `${found.formulas} formulas`);
      assert.ok(found.pictures.length >= pictures, `${found.pictures.length} pictures`);
      for (const [source, width] of found.pictures) assert.ok(width > 0, `${source} is not shown`);
      await page.picture("book-" + name.replace("/", "-"));
      assert.deepEqual(page.complaints, []);
      assert.deepEqual(page.requests.filter((url) => !/^(file|data|blob):/.test(url)), []);
    } finally {
      await page.close();
    }
  });

test("every link within the book leads somewhere", () => {
  const pages = readdirSync(book, { recursive: true }).filter((name) => name.endsWith(".html"));
  assert.ok(pages.length > 30, `${pages.length} pages`);
  const dead = [];
  for (const page of pages) {
    // of all pages on one sheet the links have another base
    if (["print.html", "404.html", "toc.html"].includes(page)) continue;
    const text = readFileSync(join(book, page), "utf8").split("<main>")[1]?.split("</main>")[0] ?? "";
    for (const [, target] of text.matchAll(/(?:href|src)="([^"#?]+)[^"]*"/g)) {
      if (/^[a-z]+:/.test(target)) continue;
      const file = join(book, dirname(page), decodeURIComponent(target));
      if (!statSync(file, { throwIfNoEntry: false })) dead.push(`${page}: ${target}`);
    }
  }
  assert.deepEqual(dead, []);
});
