/** The part of an `EventEmitter` that tells of states, without a type of Node's in the package's declarations. */

type Listener<State> = (state: State) => void;

export class StateEvents<State> {
  readonly #listeners = new Map<Listener<State>, boolean>();

  /** Has `listener` hear of each new state. */
  on(event: "stateChange", listener: Listener<State>): this {
    return this.#add(event, listener, false);
  }

  /** Has `listener` hear of the next new state. */
  once(event: "stateChange", listener: Listener<State>): this {
    return this.#add(event, listener, true);
  }

  off(_event: "stateChange", listener: Listener<State>): this {
    this.#listeners.delete(listener);
    return this;
  }

  #add(event: string, listener: Listener<State>, once: boolean): this {
    if (event !== "stateChange") throw new TypeError(`there is no event ${event}: "stateChange" is the only one`);
    this.#listeners.set(listener, once);
    return this;
  }

  /** @internal */
  protected tell(state: State): void {
    for (const [listener, once] of [...this.#listeners]) {
      if (once) this.#listeners.delete(listener);
      listener(state);
    }
  }
}
