/**
 * The characters of Unicode's properties, as this realm's regular expressions know them.
 *
 * Invariant: a name is matched with `\p{…}` over single characters only, so nothing here can take long.
 */

const known = new Map<string, Uint32Array | undefined>();

/** One of general category, script with its extensions, and binary property. */
function matcherOf(name: string): RegExp | undefined {
  const words = name.replace(/(?:^|[ _-])([a-z])/g, (word) => word.toUpperCase()).replace(/[ -]/g, "_");
  for (const asked of new Set([name, words])) {
    for (const key of ["General_Category=", "Script_Extensions=", ""]) {
      try {
        return new RegExp(`\\p{${key}${asked}}`, "u");
      } catch {
        // The property is of another kind.
      }
    }
  }
  return undefined;
}

/**
 * The first and the last code point of each run of characters with a property; undefined where no property has that
 * name.
 */
export function unicodeClass(name: string): Uint32Array | undefined {
  if (known.has(name)) return known.get(name);
  const matcher = /^[\w &-]+$/.test(name) ? matcherOf(name) : undefined;
  let ranges: Uint32Array | undefined;
  if (matcher !== undefined) {
    const bounds: number[] = [];
    let inside = false;
    for (let point = 0; point <= 0x110000; point += 1) {
      // Surrogates are in no text.
      const holds =
        point <= 0x10ffff && !(point >= 0xd800 && point <= 0xdfff) && matcher.test(String.fromCodePoint(point));
      if (holds === inside) continue;
      bounds.push(holds ? point : point - 1);
      inside = holds;
    }
    ranges = Uint32Array.from(bounds);
  }
  known.set(name, ranges);
  return ranges;
}
