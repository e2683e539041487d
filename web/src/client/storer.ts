/**
 * A second worker that stores the slices of a long script while the script's own worker is busy.
 *
 * Invariant: slices are stored one after another, as they came; after one has failed the later ones fail at the fence.
 */
import { Channel } from "./channel.ts";
import type { OpenOptions } from "./client.ts";
import { engineCode, giveCode } from "../start/engine-code.ts";
import type { WorkerAssets } from "../protocol/messages.ts";
import { createDefaultWorker } from "./defaults.ts";

export class Storer {
  readonly #channel: Channel;
  readonly #deployment: string;
  readonly #engineWasm: string;
  /** The stores that are not confirmed yet, for `finish` to wait for. */
  readonly #underWay = new Set<Promise<unknown>>();

  constructor({ deployment, createWorker = () => createDefaultWorker([]) }: OpenOptions, assets: WorkerAssets) {
    this.#channel = new Channel(createWorker(), () => undefined);
    void giveCode(engineCode(assets.engineWasm), (message) => this.#channel.tell(message));
    this.#deployment = deployment.name;
    this.#engineWasm = assets.engineWasm;
  }

  /** Resolves once the slice is stored. */
  async store(slice: Uint8Array): Promise<void> {
    const { answer } = this.#channel.send<"store">(
      { kind: "store", deployment: this.#deployment, engineWasm: this.#engineWasm, slice },
      [slice.buffer as ArrayBuffer],
    );
    this.#underWay.add(answer);
    await answer;
  }

  /** Ends the worker once every slice that it was given is stored or has failed. */
  async finish(): Promise<void> {
    await Promise.allSettled(this.#underWay);
    this.end();
  }

  /** Ends the worker at once; slices that are not stored yet are rejected. */
  end(): void {
    this.#channel.end("the script has ended");
  }
}
