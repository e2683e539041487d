/** CRC-32C (Castagnoli), the checksum of messages. */

/** Eight tables, so that eight bytes are taken in one turn. */
const TABLES = ((): readonly Uint32Array[] => {
  const tables = Array.from({ length: 8 }, () => new Uint32Array(256));
  const first = tables[0] as Uint32Array;
  for (let byte = 0; byte < 256; byte += 1) {
    let value = byte;
    for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0x82f63b78 : value >>> 1;
    first[byte] = value >>> 0;
  }
  for (let table = 1; table < 8; table += 1) {
    const [before, here] = [tables[table - 1] as Uint32Array, tables[table] as Uint32Array];
    for (let byte = 0; byte < 256; byte += 1) {
      const value = before[byte] as number;
      here[byte] = ((value >>> 8) ^ (first[value & 0xff] as number)) >>> 0;
    }
  }
  return tables;
})();

/** The checksum of all the bytes. */
export function crc32c(bytes: Uint8Array): number {
  const [t0, t1, t2, t3, t4, t5, t6, t7] = TABLES as [
    Uint32Array,
    Uint32Array,
    Uint32Array,
    Uint32Array,
    Uint32Array,
    Uint32Array,
    Uint32Array,
    Uint32Array,
  ];
  let crc = -1;
  let at = 0;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  for (const last = bytes.length - 8; at <= last; at += 8) {
    const low = view.getInt32(at, true) ^ crc;
    const high = view.getInt32(at + 4, true);
    crc =
      (t7[low & 0xff] as number) ^
      (t6[(low >>> 8) & 0xff] as number) ^
      (t5[(low >>> 16) & 0xff] as number) ^
      (t4[low >>> 24] as number) ^
      (t3[high & 0xff] as number) ^
      (t2[(high >>> 8) & 0xff] as number) ^
      (t1[(high >>> 16) & 0xff] as number) ^
      (t0[high >>> 24] as number);
  }
  for (; at < bytes.length; at += 1) crc = (crc >>> 8) ^ (t0[(crc ^ (bytes[at] as number)) & 0xff] as number);
  return ~crc >>> 0;
}
