/**
 * `quiredb/net`: in the place of Node's `net` and `tls`, by a bundler's alias. Sockets of MongoDB's own driver end in
 * an engine of this page or process then.
 *
 * ```js
 * import "quiredb/net"; // first: what the driver asks of Node has to be there before it
 * import { MongoClient } from "mongodb"; // MongoDB's own
 * const client = new MongoClient("mongodb://shop/"); // the deployment quire://shop
 * ```
 */
import "./net/globals.ts";
import { Socket as EngineSocket, type ConnectOptions } from "./net/socket.ts";

export { listen } from "./net/deployments.ts";
export type { ConnectOptions };

/** A stream of Node's, or of what stands in its place. Its types are those of `net`. */
export const Socket: new () => object = EngineSocket;
/** `net.createConnection`, `net.connect` and `tls.connect`. */
export function connect(options: ConnectOptions): object {
  return new EngineSocket().connect(options);
}
export { connect as createConnection, Socket as TLSSocket };

/** 4 or 6 for an address of a machine, and 0 for a name. */
export function isIP(text: string): 0 | 4 | 6 {
  if (/^\d{1,3}(\.\d{1,3}){3}$/.test(text)) return 4;
  return /^[\da-f:.]*:[\da-f:.]*$/i.test(text) ? 6 : 0;
}
export const isIPv4 = (text: string): boolean => isIP(text) === 4;
export const isIPv6 = (text: string): boolean => isIP(text) === 6;
export const getDefaultAutoSelectFamily = (): boolean => false;
/** Nothing is encrypted between a page and itself. */
export const createSecureContext = (): object => ({});
export const checkServerIdentity = (): undefined => undefined;
