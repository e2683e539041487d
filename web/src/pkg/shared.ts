/**
 * Engines that several clients of one address share.
 *
 * Invariants: clients of one key have one engine between them; it is closed with the last of them, and its data in
 * memory goes with it; a client that closes twice counts once.
 */
import type { Transport } from "../driver/connection.ts";

interface Shared<Settings> {
  readonly transport: Promise<Transport>;
  readonly settings: Settings;
  users: number;
}

export class SharedEngines<Settings> {
  readonly #engines = new Map<string, Shared<Settings>>();

  /**
   * The engine of this key, made by `make` for the first client; `agree` throws where a later one asks for other
   * settings.
   */
  async open(
    key: string,
    settings: Settings,
    make: () => Promise<Transport>,
    agree: (first: Settings) => void,
  ): Promise<Transport> {
    let shared = this.#engines.get(key);
    if (shared === undefined) {
      const made: Shared<Settings> = { transport: make(), settings, users: 0 };
      this.#engines.set(key, made);
      made.transport.catch(() => this.#forget(key, made));
      shared = made;
    } else {
      agree(shared.settings);
    }
    shared.users += 1;
    return this.#use(key, shared);
  }

  async #use(key: string, shared: Shared<Settings>): Promise<Transport> {
    const transport = await shared.transport;
    let open = true;
    return {
      run: transport.run,
      close: async () => {
        if (!open) return;
        open = false;
        shared.users -= 1;
        if (shared.users > 0) return;
        this.#forget(key, shared);
        await transport.close();
      },
    };
  }

  #forget(key: string, shared: Shared<Settings>): void {
    if (this.#engines.get(key) === shared) this.#engines.delete(key);
  }
}
