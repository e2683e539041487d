/**
 * A real deployment as a place for the package's program: commands as bytes, sent by MongoDB's own driver.
 *
 * The driver is an optional peer dependency, taken from the folder that the program runs in, and else from beside the
 * package. Invariants: all commands of a place are of one session, so that a cursor's next batch finds its cursor, but
 * those that name one of their own, each of which has one of the driver's; what the deployment refuses is a reply.
 */
import { createRequire } from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";
import type { Document } from "bson";
import { encode } from "../../codec/encode.ts";

/** The parts of the driver that are used. */
interface Session {
  /** The driver writes its own number of a transaction into `commitTransaction` and `abortTransaction`. */
  readonly serverSession?: { txnNumber: number };
  endSession(): Promise<void>;
}
interface DriverClient {
  connect(): Promise<unknown>;
  db(name: string): { command(command: Document, options: Document): Promise<Document> };
  startSession(): Session;
  close(): Promise<void>;
}
export interface Driver {
  readonly MongoClient: new (uri: string, options: Document) => DriverClient;
  readonly BSON: { deserialize(bytes: Uint8Array, options: Document): Document };
}

/** The driver is missing, or the deployment cannot be reached: said in a sentence. */
export class PlaceError extends Error {}

const TYPED = { promoteValues: false, bsonRegExp: true };

/** Finds MongoDB's driver. */
export async function findDriver(folder: string, beside: string): Promise<Driver> {
  for (const from of [path.join(folder, "package.json"), beside]) {
    let found: string;
    try {
      found = createRequire(from).resolve("mongodb");
    } catch {
      continue;
    }
    const module = (await import(pathToFileURL(found).href)) as { default?: Driver } & Driver;
    return module.default ?? module;
  }
  throw new PlaceError("a mongodb:// address needs MongoDB's own driver: npm install mongodb");
}

/** An address without its password. */
export function shownAddress(uri: string): string {
  return uri.replace(/\/\/.*@/s, "//***@");
}

/** The reply that an error of the driver's stands for; an error that is none is thrown. */
function replyOf(error: unknown): Document {
  const { errorResponse, result, code, codeName, message } = error as Document & Error;
  const whole: unknown = result ?? errorResponse;
  if (typeof whole === "object" && whole !== null && "ok" in whole) return whole as Document;
  if (typeof code !== "number") throw error;
  return { ok: 0, code, errmsg: message, ...(codeName === undefined ? {} : { codeName: codeName as string }) };
}

export interface Place {
  commandBytes(command: Uint8Array): Promise<Uint8Array>;
  close(): Promise<void>;
}

/** Connects to a deployment; rejects with a `PlaceError` where it cannot be reached. */
export async function openByDriver({ MongoClient, BSON }: Driver, uri: string): Promise<Place> {
  let client: DriverClient;
  try {
    client = new MongoClient(uri, { serverSelectionTimeoutMS: 10_000, appName: "quiredb" });
    await client.connect();
  } catch (error) {
    throw new PlaceError(
      `${shownAddress(uri)} cannot be reached: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
  const sessions = new Map<string, Session>();
  const sessionOf = (lsid: Document | undefined): Session => {
    const id = lsid === undefined ? "" : String((lsid["id"] as { toString(form: string): string }).toString("hex"));
    const session = sessions.get(id) ?? client.startSession();
    sessions.set(id, session);
    return session;
  };
  return {
    async commandBytes(bytes) {
      const { $db, lsid, $clusterTime: _, ...command } = BSON.deserialize(bytes, { ...TYPED, promoteBuffers: false });
      const session = sessionOf(lsid as Document | undefined);
      const { serverSession } = session;
      const { txnNumber } = command;
      if (txnNumber !== undefined && serverSession !== undefined) serverSession.txnNumber = Number(String(txnNumber));
      const reply = await client
        .db(String($db))
        .command(command, { ...TYPED, session })
        .catch(replyOf);
      return encode(reply);
    },
    async close() {
      await Promise.allSettled([...sessions.values()].map((session) => session.endSession()));
      await client.close();
    },
  };
}
