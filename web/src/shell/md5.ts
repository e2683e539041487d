/**
 * MD5 (RFC 1321) of a text's UTF-8 bytes, for `hex_md5`: a checksum that scripts group by, and no protection of
 * anything.
 *
 * Invariant: needs no encoder, which the sandbox lacks.
 */

const SHIFTS = [
  [7, 12, 17, 22],
  [5, 9, 14, 20],
  [4, 11, 16, 23],
  [6, 10, 15, 21],
] as const;

function utf8(text: string): number[] {
  const bytes: number[] = [];
  for (const character of text) {
    const point = character.codePointAt(0) ?? 0;
    // Half a pair is no character: the sign for an unknown one takes its place.
    const code = point >= 0xd800 && point < 0xe000 ? 0xfffd : point;
    if (code < 0x80) bytes.push(code);
    else if (code < 0x800) bytes.push(0xc0 | (code >> 6), 0x80 | (code & 63));
    else if (code < 0x10000) bytes.push(0xe0 | (code >> 12), 0x80 | ((code >> 6) & 63), 0x80 | (code & 63));
    else bytes.push(0xf0 | (code >> 18), 0x80 | ((code >> 12) & 63), 0x80 | ((code >> 6) & 63), 0x80 | (code & 63));
  }
  return bytes;
}

/** The bytes with their padding and length, as little-endian words. */
function words(bytes: number[]): Uint32Array {
  const bits = bytes.length * 8;
  const list = new Uint32Array((((bytes.length + 8) >> 6) + 1) * 16);
  [...bytes, 0x80].forEach((byte, at) => (list[at >> 2] = (list[at >> 2] ?? 0) | (byte << ((at % 4) * 8))));
  list[list.length - 2] = bits;
  list[list.length - 1] = bits / 2 ** 32;
  return list;
}

/** One step's mixing of three words, and which word of the block it takes. */
function mixed(round: number, step: number, b: number, c: number, d: number): [value: number, word: number] {
  switch (round) {
    case 0:
      return [(b & c) | (~b & d), step];
    case 1:
      return [(d & b) | (~d & c), (5 * step + 1) % 16];
    case 2:
      return [b ^ c ^ d, (3 * step + 5) % 16];
    default:
      return [c ^ (b | ~d), (7 * step) % 16];
  }
}

/** The checksum as 32 hexadecimal digits. */
export function hexMd5(text: string): string {
  const list = words(utf8(text));
  const state = new Uint32Array([0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476]);
  for (let block = 0; block < list.length; block += 16) {
    let [a = 0, b = 0, c = 0, d = 0] = state;
    for (let step = 0; step < 64; step++) {
      const round = step >> 4;
      const [value, word] = mixed(round, step, b, c, d);
      const added = (a + value + Math.floor(Math.abs(Math.sin(step + 1)) * 2 ** 32) + (list[block + word] ?? 0)) | 0;
      const shift = SHIFTS[round]?.[step % 4] ?? 0;
      [a, b, c, d] = [d, (b + ((added << shift) | (added >>> (32 - shift)))) | 0, b, c];
    }
    [a, b, c, d].forEach((word, at) => (state[at] = (state[at] ?? 0) + word));
  }
  const digits = (byte: number): string => byte.toString(16).padStart(2, "0");
  return [...new Uint8Array(state.buffer)].map(digits).join("");
}
