/**
 * The lines that a script printed since the page was last sent any.
 *
 * Invariants: the last lines are kept, so many and so long that the page can take them at once; lines that are let go
 * are counted. A line that is longer than anybody reads is cut and says so.
 */

/** Lines and characters kept between two messages: as many as the page keeps of a whole run. */
const MOST_LINES = 10_000;
const MOST_CHARACTERS = 1_000_000;
/** Characters of one line. */
const MOST_OF_A_LINE = 50_000;

export interface Told {
  readonly printed: readonly string[];
  /** Lines that were let go before those. */
  readonly leftOut: number;
}

export class Printed {
  /** The lines from `#from` on are kept. */
  #lines: string[] = [];
  #from = 0;
  #characters = 0;
  #leftOut = 0;

  get isEmpty(): boolean {
    return this.#lines.length === 0;
  }

  add(text: string): void {
    const line =
      text.length <= MOST_OF_A_LINE
        ? text
        : `${text.slice(0, MOST_OF_A_LINE)}… and ${text.length - MOST_OF_A_LINE} more characters`;
    this.#lines.push(line);
    this.#characters += line.length;
    while (this.#lines.length - this.#from > MOST_LINES || this.#characters > MOST_CHARACTERS) {
      this.#characters -= (this.#lines[this.#from] as string).length;
      this.#from += 1;
      this.#leftOut += 1;
    }
    // Moved seldom, so that each line costs the same.
    if (this.#from > MOST_LINES) {
      this.#lines = this.#lines.slice(this.#from);
      this.#from = 0;
    }
  }

  /** Gives the kept lines, and begins anew. */
  take(): Told {
    const told = { printed: this.#from === 0 ? this.#lines : this.#lines.slice(this.#from), leftOut: this.#leftOut };
    this.#lines = [];
    this.#from = 0;
    this.#characters = 0;
    this.#leftOut = 0;
    return told;
  }
}
