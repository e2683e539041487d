/**
 * Commands as the data dialogs ask them: typed numbers in the reply, and every refusal an exception with the server's
 * code.
 *
 * Invariants: whatever the reply calls a failure is thrown, a write error like any other; nothing here draws.
 */
import type { Document } from "bson";
import { decode } from "../../codec/decode.ts";
import { encode } from "../../codec/encode.ts";
import type { Deed } from "../../protocol/moments.ts";
import { fieldOf } from "../values.ts";

/** The way of a command to the engine: the page's controller. */
export interface Commander {
  commandBytes(command: Uint8Array): Promise<Uint8Array>;
}

/** The way of a change that can be undone to the engine: the page's controller. */
export interface Changer extends Commander {
  /** Runs a command that is a change by itself, and keeps the states before and after it. */
  changeBytes(command: Uint8Array, deed: Deed): Promise<Uint8Array>;
}

/** A command which the engine refused. */
export class Refusal extends Error {
  readonly code: number | null;
  readonly codeName: string | null;

  constructor(reply: Document) {
    super(String(reply["errmsg"] ?? ""));
    this.name = "Refusal";
    this.code = reply["code"] === undefined ? null : Number(reply["code"]);
    this.codeName = reply["codeName"] === undefined ? null : String(reply["codeName"]);
  }
}

/** Runs a command; its reply keeps every number's type. */
export async function ask(commander: Commander, database: string, command: Document): Promise<Document> {
  return judged(await commander.commandBytes(encode({ ...command, $db: database })));
}

/** Runs a command that is a change by itself and can be undone. */
export async function change(changer: Changer, database: string, command: Document, deed: Deed): Promise<Document> {
  return judged(await changer.changeBytes(encode({ ...command, $db: database }), deed));
}

/** The reply in these bytes, or its refusal thrown. */
export function judged(bytes: Uint8Array): Document {
  const reply = decode(bytes, { numbers: "typed" });
  if (Number(reply["ok"]) !== 1) throw new Refusal(reply);
  const failed = (reply["writeErrors"] as readonly Document[] | undefined)?.[0];
  if (failed !== undefined) throw new Refusal(failed);
  return reply;
}

/** The cursor of a reply. */
export function cursorOf(reply: Document): { readonly documents: readonly Document[]; readonly id: bigint } {
  const cursor = reply["cursor"] as Document;
  return {
    documents: (fieldOf(cursor, "firstBatch") ?? fieldOf(cursor, "nextBatch") ?? []) as readonly Document[],
    id: BigInt(String(cursor["id"])),
  };
}
