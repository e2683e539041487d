/**
 * A real deployment as a place for the package's program: commands as bytes, sent by MongoDB's own driver.
 *
 * The driver is an optional peer dependency, taken from the folder that the program runs in, and else from beside the
 * package. Invariants: all commands of a place are of one session, so that a cursor's next batch finds its cursor, but
 * those that name one of their own, each of which has one of the driver's; what the deployment refuses is a reply;
 * documents go and come as their bytes (`lossless.ts`).
 */
import { createRequire } from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";
import type { Document } from "bson";
import { commandFor, RAW, replyBytes, Unsendable, type DriverBson, type Sequences } from "./lossless.ts";
import { unreached } from "./unreached.ts";

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
  readonly BSON: DriverBson;
}
/** The driver as it was found. */
export interface FoundDriver extends Driver {
  /** Its way to send documents as their bytes; null in one that has none (before 6.10). */
  readonly sequences: Sequences | null;
}

/** The driver is missing, or the deployment cannot be reached: said in a sentence. */
export class PlaceError extends Error {}

/** The deployment did not answer: a connection broke, or there is no server that takes commands. */
export class Lost extends PlaceError {}

/** Finds MongoDB's driver. */
export async function findDriver(folder: string, beside: string): Promise<FoundDriver> {
  for (const from of [path.join(folder, "package.json"), beside]) {
    let found: string;
    try {
      found = createRequire(from).resolve("mongodb");
    } catch {
      continue;
    }
    const module = (await import(pathToFileURL(found).href)) as { default?: Driver } & Driver;
    const { MongoClient, BSON } = module.default ?? module;
    return { MongoClient, BSON, sequences: sequencesOf(found) };
  }
  throw new PlaceError("a mongodb:// address needs MongoDB's own driver: npm install mongodb");
}

/** The driver's sequences of documents, which it sends its own bulk writes by and does not export. */
function sequencesOf(driver: string): Sequences | null {
  try {
    const { DocumentSequence } = createRequire(driver)("./cmap/commands.js") as { DocumentSequence?: Sequences };
    const { push, toBin } = (DocumentSequence?.prototype ?? {}) as { push?: unknown; toBin?: unknown };
    return typeof push === "function" && typeof toBin === "function" ? (DocumentSequence as Sequences) : null;
  } catch {
    return null;
  }
}

/** An address without its password. */
export function shownAddress(uri: string): string {
  return uri.replace(/\/\/.*@/s, "//***@");
}

/** The reply that an error of the driver's stands for; null for an error that is none. */
function replyOf(error: unknown): Document | null {
  const { errorResponse, result, code, codeName, message } = error as Document & Error;
  const whole: unknown = result ?? errorResponse;
  if (typeof whole === "object" && whole !== null && "ok" in whole) return whole as Document;
  if (typeof code !== "number") return null;
  return { ok: 0, code, errmsg: message, ...(codeName === undefined ? {} : { codeName: codeName as string }) };
}

export interface Place {
  commandBytes(command: Uint8Array): Promise<Uint8Array>;
  close(): Promise<void>;
}

/** How long the driver looks for a server, where the address does not say. */
const PATIENCE = { serverSelectionTimeoutMS: 10_000 };

/** Connects to a deployment; rejects with a `PlaceError` where it cannot be reached. */
export async function openByDriver({ MongoClient, BSON, sequences }: FoundDriver, uri: string): Promise<Place> {
  let client: DriverClient;
  try {
    const own = /[?&]serverSelectionTimeoutMS=/i.test(uri) ? {} : PATIENCE;
    client = new MongoClient(uri, { ...own, appName: "quiredb" });
    await client.connect();
  } catch (error) {
    throw new PlaceError(unreached(error, uri, shownAddress(uri)));
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
      try {
        const { command, envelope } = commandFor(BSON, bytes, sequences);
        const session = sessionOf(envelope["lsid"] as Document | undefined);
        const { serverSession } = session;
        const { txnNumber } = command;
        if (txnNumber !== undefined && serverSession !== undefined) serverSession.txnNumber = Number(String(txnNumber));
        return replyBytes(await client.db(String(envelope["$db"])).command(command, { ...RAW, session }));
      } catch (error) {
        if (error instanceof Unsendable)
          throw new PlaceError(
            "this driver would alter a document, and a newer one does not: npm install mongodb@latest",
          );
        const reply = replyOf(error);
        if (reply !== null) return replyBytes(reply);
        throw new Lost(unreached(error, uri, shownAddress(uri)), { cause: error });
      }
    },
    async close() {
      await Promise.allSettled([...sessions.values()].map((session) => session.endSession()));
      await client.close();
    },
  };
}
