/**
 * The front of a server: an engine without data, in the thread of the sockets, for commands whose answer must not wait
 * until a long command has ended: `hello`, by which drivers judge whether the server lives, `currentOp` and `killOp`.
 *
 * The commands are checked and worded by the engine's own code so; the server puts in what it knows. One front serves
 * all servers of a process that present themselves alike.
 */
import type { Document } from "bson";
import { decode } from "../../codec/decode.ts";
import { encode } from "../../codec/encode.ts";
import { DocumentEngine } from "../../engine/document-engine.ts";
import { makeHost } from "../../engine/host.ts";
import { limited, loadEngine } from "../../engine/load.ts";
import type { Topology } from "../../engine/topology.ts";
import { engineWasm } from "../defaults.ts";

/** Times of a deployment, which the front's own are not. */
const TIMES = ["operationTime", "$clusterTime"];

/** Its own data are a few documents at a time. */
const MOST_BYTES = 64 * 1024 * 1024;

export class Front {
  readonly #engine: DocumentEngine;

  private constructor(engine: DocumentEngine) {
    this.#engine = engine;
  }

  static readonly #made = new Map<Topology, Promise<Front>>();

  static of(topology: Topology = "replicaSet"): Promise<Front> {
    let made = Front.#made.get(topology);
    if (made === undefined) {
      made = Front.#make(topology);
      made.catch(() => Front.#made.delete(topology));
      Front.#made.set(topology, made);
    }
    return made;
  }

  static async #make(topology: Topology): Promise<Front> {
    const loaded = limited(await loadEngine(engineWasm), MOST_BYTES, topology);
    return new Front(new DocumentEngine(loaded.module.QuireEngine.openMemory(makeHost()), loaded.memory));
  }

  /** The reply to a command. */
  ask(command: Uint8Array | Document): Document {
    const bytes = command instanceof Uint8Array ? command : encode(command);
    const reply = decode(this.#engine.runBytes(bytes), { numbers: "typed" });
    for (const name of TIMES) delete reply[name];
    return reply;
  }

  /** For how long the answer to the hello that was asked last has to wait, in milliseconds; undefined: not at all. */
  get patience(): number | undefined {
    return this.#engine.awaitDataMillis;
  }
}
