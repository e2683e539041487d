/**
 * Cursors and change streams as streams of their items.
 *
 * Invariant: the next item is asked for when it is wanted, and the cursor is closed with the stream.
 */
import { Readable, type ReadableOf } from "./streams.ts";

/** A cursor or a change stream. */
interface Items<Item> {
  next(): Promise<Item | null>;
  close(): Promise<void>;
}

class ItemStream<Item> extends Readable<unknown> {
  readonly #items: Items<Item>;
  readonly #made: (item: Item) => unknown;
  #isReading = false;

  constructor(items: Items<Item>, made: (item: Item) => unknown) {
    super({ objectMode: true });
    this.#items = items;
    this.#made = made;
  }
  _read(): void {
    if (!this.#isReading) void this.#next();
  }
  async #next(): Promise<void> {
    this.#isReading = true;
    try {
      const item = await this.#items.next();
      this.#isReading = false;
      // A stream that was destroyed while it waited wants nothing more.
      if (this.destroyed) return;
      this.push(item === null ? null : this.#made(item));
    } catch (error) {
      if (!this.destroyed) this.destroy(error as Error);
    }
  }
  _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    this.#items.close().then(
      () => callback(error),
      (failure: Error) => callback(error ?? failure),
    );
  }
}

/** The items as a stream; `made` makes another value of each. */
export function streamOf<Item, Made = Item>(items: Items<Item>, made?: (item: Item) => Made): ReadableOf<Made> {
  return new ItemStream(items, made ?? ((item) => item)) as unknown as ReadableOf<Made>;
}
