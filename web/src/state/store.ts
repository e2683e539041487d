/**
 * Holds the page's state and tells its listeners when it changed.
 *
 * Invariants: listeners are told once per change, after it; a listener that dispatches is served after the
 * present one, so every listener sees states in order.
 */
import type { Action } from "./actions.ts";
import type { AppState } from "./model.ts";
import { reduce } from "./reducer.ts";

export type Listener = (state: AppState, before: AppState) => void;

export class Store {
  #state: AppState;
  readonly #listeners = new Set<Listener>();
  readonly #waiting: Action[] = [];
  #telling = false;

  constructor(state: AppState) {
    this.#state = state;
  }

  get state(): AppState {
    return this.#state;
  }

  dispatch(action: Action): void {
    this.#waiting.push(action);
    if (this.#telling) return;
    this.#telling = true;
    try {
      for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
        const before = this.#state;
        this.#state = reduce(before, next);
        if (this.#state === before) continue;
        for (const listener of [...this.#listeners]) listener(this.#state, before);
      }
    } finally {
      this.#telling = false;
    }
  }

  /** Calls `listener` after each change; returns how to stop that. */
  subscribe(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
