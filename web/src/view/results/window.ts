/**
 * Which rows of a long list are in sight, so that only those are drawn.
 *
 * Invariants: follows its scroller's scrolling and size; tells its host only when other rows than those drawn are
 * needed; rows some way beyond both edges are drawn too, so that a quick hand finds them there. While the browser
 * prints, all of them are in sight, up to `printedRows`.
 */
import type { ReactiveController, ReactiveControllerHost } from "lit";
import { Paper } from "./paper.ts";

/** Rows drawn beyond each edge. */
const beyond = 12;
/**
 * Rows drawn beyond each edge after a leap, which leaves none of the drawn rows in sight: few, so that the rows to be
 * seen come at once and the others follow.
 */
const beyondLeap = 2;

/** Rows drawn on paper: a hundred thousand would take a browser minutes, and a forest. */
export const printedRows = 2000;

/** The layout of rows below each other, in pixels. */
export interface Rows {
  readonly count: number;
  /** The pixels from the first row's top to that of a row; for the count of rows, to the last row's end. */
  top(index: number): number;
  at(height: number): number;
}

export class RowWindow implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  readonly #rows: Rows;
  readonly #scrollerOf: () => HTMLElement | null;
  readonly #nearEnd: () => void;
  #scroller: HTMLElement | null = null;
  /** How many rows there were when the reader scrolled to their end; -1 when it was elsewhere. */
  #endOf = -1;
  readonly #size = new ResizeObserver(() => this.#look());
  readonly #paper: Paper;
  /** The first row drawn, and the one after the last. */
  first = 0;
  last = 0;

  constructor(
    host: ReactiveControllerHost,
    rows: Rows,
    scrollerOf: () => HTMLElement | null,
    nearEnd: () => void = () => undefined,
  ) {
    this.#host = host;
    this.#rows = rows;
    this.#scrollerOf = scrollerOf;
    this.#nearEnd = nearEnd;
    this.#paper = new Paper(host, () => {
      if (!this.printing) this.last = 0;
    });
    host.addController(this);
  }

  /** The browser prints. */
  get printing(): boolean {
    return this.#paper.isPrinting;
  }

  /** Pixels above the first row drawn and below the last. */
  get above(): number {
    return this.printing ? 0 : this.#rows.top(this.first);
  }
  get below(): number {
    return this.printing ? 0 : this.#rows.top(this.#rows.count) - this.#rows.top(this.last);
  }

  hostUpdate(): void {
    this.#measure();
  }

  hostUpdated(): void {
    const scroller = this.#scrollerOf();
    if (scroller !== this.#scroller) {
      this.#release();
      this.#scroller = scroller;
      scroller?.addEventListener("scroll", this.#onScroll, { passive: true });
      if (scroller !== null) this.#size.observe(scroller);
    }
    // Heights that were learned at the end must not take the reader away from it.
    if (scroller !== null && this.#endOf === this.#rows.count) scroller.scrollTop = scroller.scrollHeight;
  }

  hostDisconnected(): void {
    this.#release();
  }

  #release(): void {
    this.#scroller?.removeEventListener("scroll", this.#onScroll);
    this.#size.disconnect();
    this.#scroller = null;
  }

  readonly #onScroll = (): void => {
    this.#look();
    const scroller = this.#scroller;
    if (scroller === null) return;
    this.#endOf = scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < 2 ? this.#rows.count : -1;
    if (
      scroller.scrollTop > 0 &&
      scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < scroller.clientHeight
    )
      this.#nearEnd();
  };

  #look(): void {
    const { first, last } = this;
    if (this.#measure() && (first !== this.first || last !== this.last)) this.#host.requestUpdate();
  }

  /** True when rows in sight are not drawn. */
  #measure(): boolean {
    const rows = this.#rows;
    if (this.printing) {
      this.first = 0;
      this.last = Math.min(rows.count, printedRows);
      return true;
    }
    const top = this.#scroller?.scrollTop ?? 0;
    const height = this.#scroller?.clientHeight || 512;
    const first = Math.max(0, Math.min(rows.at(top), rows.count - 1));
    const last = Math.min(rows.count, rows.at(top + height) + 1);
    if (
      first >= this.first &&
      last <= this.last &&
      this.last <= rows.count &&
      this.last - this.first <= last - first + 4 * beyond
    )
      return false;
    const margin = this.last > 0 && (first >= this.last || last <= this.first) ? beyondLeap : beyond;
    this.first = Math.max(0, first - margin);
    this.last = Math.min(rows.count, last + margin);
    return true;
  }

  /** Scrolls just so far that a row is in sight. `header` pixels at the top are covered. */
  reveal(index: number, header = 0): void {
    const scroller = this.#scroller;
    if (scroller === null) return;
    const top = this.#rows.top(index);
    const bottom = this.#rows.top(index + 1) + header;
    if (top < scroller.scrollTop) scroller.scrollTop = top;
    else if (bottom > scroller.scrollTop + scroller.clientHeight) scroller.scrollTop = bottom - scroller.clientHeight;
    this.#look();
  }
}

/** Rows that are all of one height. */
export class EvenRows implements Rows {
  count = 0;
  height = 24;

  top(index: number): number {
    return Math.min(index, this.count) * this.height;
  }

  at(height: number): number {
    return Math.max(0, Math.floor(height / this.height));
  }
}
