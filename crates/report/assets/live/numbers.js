// A number as a person would write it.
function written(value) {
  const rounded = Number(value.toPrecision(3));
  const plain = String(rounded);
  // a whole number stays one, everything else is as short as it gets
  return plain.includes("e") ? plain.replace("e+", "e") : plain;
}
