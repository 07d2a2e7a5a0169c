// The text of a model with its words coloured and a fault marked.
const text = {
  token: /(#.*)|("""[\s\S]*?"""|'''[\s\S]*?'''|"(?:[^"\\\n]|\\.)*"|'[^'\n]*')|(^[ \t]*\[\[?[^\]\n]*\]\]?)|([A-Za-z_][\w.-]*(?=\s*=))|((?<![\w.])[-+]?\d[\d_]*(?:\.\d+)?(?:[eE][-+]?\d+)?)/gm,
  kinds: ["comment", "string", "section", "key", "number"],

  safe(piece) {
    return piece.replace(/[&<>]/g, (letter) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;" })[letter]);
  },

  // Pieces of the text, each with its kind; together they are the text.
  pieces(source) {
    const pieces = [];
    let at = 0;
    for (const match of source.matchAll(this.token)) {
      if (match.index > at) pieces.push([null, at, match.index]);
      at = match.index + match[0].length;
      pieces.push([this.kinds[match.slice(1).findIndex((part) => part !== undefined)], match.index, at]);
    }
    if (at < source.length) pieces.push([null, at, source.length]);
    return pieces;
  },

  // As markup; what stands between the places of a fault is marked.
  markup(source, fault) {
    const [from, to] = fault ?? [-1, -1];
    const cut = (begin, end) => [...new Set([begin, Math.min(Math.max(from, begin), end), Math.min(Math.max(to, begin), end), end])];
    let markup = "";
    for (const [kind, begin, end] of this.pieces(source)) {
      const places = cut(begin, end);
      for (let k = 1; k < places.length; k++) {
        let piece = this.safe(source.slice(places[k - 1], places[k]));
        if (places[k - 1] >= from && places[k] <= to) piece = `<mark>${piece}</mark>`;
        markup += kind ? `<span class="${kind}">${piece}</span>` : piece;
      }
    }
    // the last line has its height also if it is empty
    return markup + (from === to && from === source.length ? "<mark> </mark>" : "") + "\n";
  },

  // The number at a place, with its bounds; null where there is none.
  numberAt(source, at) {
    const found = this.pieces(source).find(([kind, from, to]) => kind === "number" && from <= at && at <= to);
    return found ? { from: found[1], to: found[2] } : null;
  },

  // What a number is called: the section and the key before it.
  nameOf(source, at) {
    const before = this.pieces(source).filter(([, from]) => from < at);
    const last = (wanted) => before.findLast(([kind]) => kind === wanted);
    const [key, section] = [last("key"), last("section")];
    const own = (piece) => (piece ? source.slice(piece[1], piece[2]).trim().replace(/^\[+|\]+$/g, "") : "");
    return [own(section), key && (!section || key[1] > section[1]) ? own(key) : ""].filter(Boolean).join(".");
  },
};
