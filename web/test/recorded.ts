/**
 * A transport for tests that keeps the commands it is sent and answers each at once with what the test says, or with an
 * empty success.
 */
import { decode } from "../src/codec/decode.ts";
import { encode } from "../src/codec/encode.ts";
import { MongoClient, type MongoClientOptions } from "../src/driver/client.ts";
import type { Transport } from "../src/driver/connection.ts";
import type { Document } from "bson";

type Answer = Document | ((command: Document) => Document);

export interface Recorded {
  readonly client: MongoClient;
  readonly commands: Document[];
  /** The command sent last, without `$db`. */
  last(): Document;
}

/** `answers`: replies by the name of the command. `isHeld`: whether there is none at all. */
export function recorded(
  options: MongoClientOptions | Record<string, unknown> = {},
  answers: Readonly<Record<string, Answer>> = {},
  address = "quire://shop/garden",
  isHeld = () => false,
): Recorded {
  const commands: Document[] = [];
  const open = (): Promise<Transport> =>
    Promise.resolve({
      run(database, sent, codec) {
        const command = decode(encode({ ...sent, $db: database }, codec), { numbers: "driver" });
        commands.push(command);
        if (isHeld()) return new Promise<Document>(() => undefined);
        const name = Object.keys(command)[0] as string;
        const answer = answers[name] ?? {
          cursor: { id: 0, ns: "garden.c", firstBatch: [] },
          n: 1,
          nModified: 1,
          nInserted: 0,
          nUpserted: 0,
          nMatched: 0,
          nDeleted: 0,
          values: [],
        };
        return decode(encode({ ok: 1, ...(typeof answer === "function" ? answer(command) : answer) }), codec);
      },
      close: () => Promise.resolve(),
    });
  const client = new MongoClient(open, address, options);
  return {
    client,
    commands,
    last() {
      const { $db: _, ...command } = commands.at(-1) as Document;
      return command;
    },
  };
}
