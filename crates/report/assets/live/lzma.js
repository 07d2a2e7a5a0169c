// LZMA, as its specification by I. Pavlov decodes it. Browsers unpack gzip only, which would make the page a third larger.
function unpack(packed) {
  const view = new DataView(packed.buffer, packed.byteOffset);
  const properties = packed[0];
  const literalContext = properties % 9;
  const literalMask = (1 << Math.floor(properties / 9) % 5) - 1;
  const positionMask = (1 << Math.floor(properties / 45)) - 1;
  const out = new Uint8Array(view.getUint32(5, true));

  // Where the probabilities of each decision begin.
  let total = 0;
  const place = (count) => (total += count) - count;
  const [match, repeat, first, second, third, long] = [192, 12, 12, 12, 12, 192].map(place);
  const [slot, special, align] = [256, 128, 16].map(place);
  const lengths = [0, 1].map(() => ({ choice: place(2), low: place(128), middle: place(128), high: place(256) }));
  const literal = place(0x300 << (literalContext + Math.log2(literalMask + 1)));
  const chances = new Uint16Array(total).fill(1024);

  let at = 18;
  let code = view.getUint32(14);
  let range = 0xffffffff;

  function bit(index) {
    const chance = chances[index];
    const bound = (range >>> 11) * chance;
    let value = 0;
    if (code < bound) {
      range = bound;
      chances[index] = chance + ((2048 - chance) >> 5);
    } else {
      range -= bound;
      code -= bound;
      chances[index] = chance - (chance >> 5);
      value = 1;
    }
    if (range < 0x1000000) {
      range = (range << 8) >>> 0;
      code = ((code << 8) | packed[at++]) >>> 0;
    }
    return value;
  }

  // Bits with a chance of one half each.
  function even(count) {
    let value = 0;
    while (count-- > 0) {
      range >>>= 1;
      const high = code >= range ? 1 : 0;
      if (high) code -= range;
      value = (value << 1) | high;
      if (range < 0x1000000) {
        range = (range << 8) >>> 0;
        code = ((code << 8) | packed[at++]) >>> 0;
      }
    }
    return value;
  }

  function tree(start, bits) {
    let node = 1;
    for (let k = 0; k < bits; k++) node = (node << 1) | bit(start + node);
    return node - (1 << bits);
  }

  function reversed(start, bits) {
    let [node, value] = [1, 0];
    for (let k = 0; k < bits; k++) {
      const next = bit(start + node);
      node = (node << 1) | next;
      value |= next << k;
    }
    return value;
  }

  function length(own, position) {
    if (!bit(own.choice)) return 2 + tree(own.low + (position << 3), 3);
    if (!bit(own.choice + 1)) return 10 + tree(own.middle + (position << 3), 3);
    return 18 + tree(own.high, 8);
  }

  function distance(size) {
    const number = tree(slot + (Math.min(size - 2, 3) << 6), 6);
    if (number < 4) return number;
    const bits = (number >> 1) - 1;
    const base = (2 | (number & 1)) << bits;
    if (number < 14) return base + reversed(special + base - number, bits);
    return base + even(bits - 4) * 16 + reversed(align, 4);
  }

  let [state, end] = [0, 0];
  let back = [0, 0, 0, 0];
  while (end < out.length) {
    const position = end & positionMask;
    if (!bit(match + (state << 4) + position)) {
      const before = end ? out[end - 1] : 0;
      const context = ((end & literalMask) << literalContext) | (before >> (8 - literalContext));
      const start = literal + 0x300 * context;
      let letter = 1;
      if (state >= 7) {
        let twin = out[end - back[0] - 1];
        while (letter < 0x100) {
          const wanted = (twin >> 7) & 1;
          twin <<= 1;
          const next = bit(start + ((1 + wanted) << 8) + letter);
          letter = (letter << 1) | next;
          if (next !== wanted) break;
        }
      }
      while (letter < 0x100) letter = (letter << 1) | bit(start + letter);
      out[end++] = letter;
      state = state < 4 ? 0 : state < 10 ? state - 3 : state - 6;
      continue;
    }
    let size;
    if (!bit(repeat + state)) {
      size = length(lengths[0], position);
      back = [distance(size), back[0], back[1], back[2]];
      state = state < 7 ? 7 : 10;
    } else {
      if (!bit(first + state)) {
        if (!bit(long + (state << 4) + position)) {
          out[end] = out[end - back[0] - 1];
          end++;
          state = state < 7 ? 9 : 11;
          continue;
        }
      } else if (!bit(second + state)) {
        back = [back[1], back[0], back[2], back[3]];
      } else if (!bit(third + state)) {
        back = [back[2], back[0], back[1], back[3]];
      } else {
        back = [back[3], back[0], back[1], back[2]];
      }
      size = length(lengths[1], position);
      state = state < 7 ? 8 : 11;
    }
    const from = end - back[0] - 1;
    if (from < 0) throw new Error("the engine of this page is damaged");
    for (let k = 0; k < size && end < out.length; k++) out[end++] = out[from + k];
  }
  return out;
}
