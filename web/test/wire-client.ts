/** A client of a connection without sockets: what it sends, and what it gets. */
import { Int32, type Document } from "bson";
import { decode } from "../src/codec/decode.ts";
import { encode } from "../src/codec/encode.ts";
import { Engine } from "../src/pkg/engine.ts";
import { Connection, type Service } from "../src/pkg/server/connection.ts";
import { Front } from "../src/pkg/server/front.ts";
import { EngineHere } from "../src/pkg/server/here.ts";
import { Operations } from "../src/pkg/server/operations.ts";
import { credentials } from "../src/pkg/server/scram.ts";
import { Users, type User } from "../src/pkg/server/users.ts";
import { frame, FrameReader, Opcode } from "../src/wire/frames.ts";
import { Flag, flagsOf, readMsg } from "../src/wire/msg.ts";

/** What stands behind the connections of a server over an engine of this thread. */
export async function service(user: User | null = null): Promise<Service> {
  const runner = new EngineHere(await Engine.create(), credentials);
  return {
    front: await Front.of(),
    runner,
    operations: new Operations(),
    users: new Users(user, runner),
    compressors: [],
    setName: null,
    clients: [],
    startedWith: { argv: ["quiredb", "serve"], parsed: { net: { port: new Int32(1234) } } },
    lastReply: null,
  };
}

export interface Answer {
  readonly more: boolean;
  readonly respondsTo: number;
  readonly request: number;
  readonly document: Document;
}

export class Client {
  readonly connection: Connection;
  readonly #reader = new FrameReader();
  readonly #answers: Answer[] = [];
  #heard: (() => void) | null = null;
  #last = 0;
  ended = false;
  /** Resolves when all that was sent is done. */
  done: Promise<unknown> = Promise.resolve();

  constructor(of: Service, id = 1) {
    this.connection = new Connection(
      id,
      {
        local: "127.0.0.1:1234",
        remote: `127.0.0.1:${5000 + id}`,
        send: (bytes) => {
          this.#reader.push(bytes);
          for (let next = this.#reader.next(); next !== null; next = this.#reader.next())
            this.#answers.push({
              more: (flagsOf(next) & Flag.MoreToCome) !== 0,
              respondsTo: next.respondsTo,
              request: next.request,
              document: decode(readMsg(next).command),
            });
          this.#heard?.();
          return null;
        },
        end: () => {
          this.ended = true;
          this.connection.closed();
        },
      },
      of,
    );
  }

  /** Sends a command; gives its number. */
  send(command: Document, flags = 0): number {
    this.#last += 1;
    const head = new Uint8Array(5);
    new DataView(head.buffer).setUint32(0, flags, true);
    const received = this.connection.receive(
      frame(
        this.#last,
        0,
        Opcode.Msg,
        head,
        encode({ ...command, $db: (command["$db"] as string | undefined) ?? "admin" }),
      ),
    );
    this.done = Promise.all([this.done, received]);
    return this.#last;
  }

  /** The next answer. */
  async next(): Promise<Answer> {
    while (this.#answers.length === 0) await new Promise<void>((resolve) => (this.#heard = resolve));
    return this.#answers.shift() as Answer;
  }

  /** The answer to a command. */
  async ask(command: Document): Promise<Document> {
    this.send(command);
    return (await this.next()).document;
  }
}
