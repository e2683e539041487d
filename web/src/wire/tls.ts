/** Clients that speak TLS where MongoDB's wire protocol is spoken. */
import { Opcode } from "./frames.ts";

const HEADER_BYTES = 16;
const HANDSHAKE = 0x16;
const MAJOR_VERSION = 3;
const NEWEST_MINOR_VERSION = 4;
const CLIENT_HELLO = 1;
const OPCODES: readonly number[] = Object.values(Opcode);

/**
 * Whether the first bytes of a connection are the beginning of a TLS handshake. A message may begin with the same
 * bytes, which are its length then; it has a kind where a handshake has chance.
 */
export function isTlsHello(bytes: Uint8Array): boolean {
  const [kind, major, minor = 0, , , hello] = bytes;
  if (bytes.length < HEADER_BYTES || kind !== HANDSHAKE || major !== MAJOR_VERSION) return false;
  const opcode = new DataView(bytes.buffer, bytes.byteOffset).getInt32(HEADER_BYTES - 4, true);
  return minor <= NEWEST_MINOR_VERSION && hello === CLIENT_HELLO && !OPCODES.includes(opcode);
}
