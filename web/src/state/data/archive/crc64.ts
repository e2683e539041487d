/**
 * The checksum at the end of each collection of an archive: CRC-64 with the ECMA-182 polynomial, reflected, as the XZ
 * format has it.
 *
 * Invariant: kept as two halves of 32 bits, since whole BigInts would be slower than the documents come.
 */

const highs = new Uint32Array(256);
const lows = new Uint32Array(256);
for (let index = 0; index < 256; index += 1) {
  let high = 0;
  let low = index;
  for (let bit = 0; bit < 8; bit += 1) {
    const carry = low & 1;
    low = (low >>> 1) | (high << 31);
    high >>>= 1;
    if (carry !== 0) {
      high ^= 0xc96c5795;
      low ^= 0xd7870f42;
    }
  }
  highs[index] = high;
  lows[index] = low;
}

export class Crc64 {
  #high = 0xffffffff;
  #low = 0xffffffff;

  update(bytes: Uint8Array): void {
    let high = this.#high;
    let low = this.#low;
    for (let at = 0; at < bytes.length; at += 1) {
      const index = (low ^ (bytes[at] as number)) & 0xff;
      low = ((low >>> 8) | (high << 24)) ^ (lows[index] as number);
      high = (high >>> 8) ^ (highs[index] as number);
    }
    this.#high = high;
    this.#low = low;
  }

  /** The sum so far as the signed number that an archive holds. */
  get value(): bigint {
    return BigInt.asIntN(64, (BigInt(~this.#high >>> 0) << 32n) | BigInt(~this.#low >>> 0));
  }
}
