/**
 * Keeps the keys typed while a panel's code is still on its way: a reader who opened the palette by its key types on,
 * and that is meant for the palette and not for the script.
 *
 * Invariants: keys with Ctrl or the command key keep their meaning to the browser; Escape gives the panel up. Keys
 * after Enter are dropped, since the reader has not yet seen the action that they would choose.
 */
export class TypeAhead {
  readonly #giveUp: () => void;
  #text: string | null = null;
  #entered = false;

  constructor(giveUp: () => void) {
    this.#giveUp = giveUp;
  }

  /** Begins to keep keys; false when it has begun before. */
  start(): boolean {
    if (this.#text !== null) return false;
    this.#text = "";
    this.#entered = false;
    addEventListener("keydown", this.#onKey, true);
    return true;
  }

  /** The typed text; from now on keys go where they always go. */
  take(): string {
    const text = this.#text ?? "";
    this.#text = null;
    removeEventListener("keydown", this.#onKey, true);
    return text;
  }

  readonly #onKey = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (event.key === "Escape") {
      this.take();
      this.#giveUp();
    } else if (event.key === "Enter") this.#entered = true;
    else if (this.#entered || this.#text === null) return;
    else if (event.key === "Backspace") this.#text = this.#text.slice(0, -1);
    else if ([...event.key].length === 1) this.#text += event.key;
  };
}
