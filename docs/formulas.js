// Sets formulas with KaTeX: blocks of the language `math`, marked by docs/build, and code between two dollar
// signs.
// The same spelling is understood by the usual forges, so that pages read well there too.
"use strict";

(function () {
  const folder = path_to_root + "generated/katex/";
  const sheet = document.createElement("link");
  sheet.rel = "stylesheet";
  sheet.href = folder + "katex.min.css";
  document.head.appendChild(sheet);

  const script = document.createElement("script");
  script.src = folder + "katex.min.js";
  script.onload = setAll;
  document.head.appendChild(script);

  function setAll() {
    for (const code of document.querySelectorAll("code.formula-block")) {
      const place = document.createElement("div");
      place.className = "formula";
      katex.render(code.textContent, place, { displayMode: true, throwOnError: false });
      (code.closest("pre") || code).replaceWith(place);
    }
    for (const code of document.querySelectorAll("main :not(pre) > code")) {
      const before = code.previousSibling;
      const after = code.nextSibling;
      if (before?.nodeType !== Node.TEXT_NODE || after?.nodeType !== Node.TEXT_NODE) continue;
      if (!before.data.endsWith("$") || !after.data.startsWith("$")) continue;
      before.data = before.data.slice(0, -1);
      after.data = after.data.slice(1);
      const place = document.createElement("span");
      katex.render(code.textContent, place, { throwOnError: false });
      code.replaceWith(place);
    }
    document.body.dataset.formulas = "set";
  }
})();
