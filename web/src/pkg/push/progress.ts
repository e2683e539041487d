/**
 * How far a copy is: a bar that is drawn again on a terminal, and lines elsewhere.
 *
 * Invariant: what is told (`line`) stands on lines of its own, above the bar.
 */

/** Where it is drawn; `columns` is undefined where that is no terminal. */
export interface Screen {
  write(text: string): void;
  readonly columns: number | undefined;
  now(): number;
}

export interface Step {
  readonly name: string;
  readonly done: number;
  /** How many there are, as far as is known. */
  readonly total: number;
  readonly bytes: number;
}

const REDRAWN_MILLIS = 100;
const BAR = 20;
/** A collection with fewer documents is told by its last line alone. */
const LONG = 20_000;
const TENTHS = 10;

export const figure = (count: number): string => count.toLocaleString("en-US");
export const counted = (count: number, what: string): string =>
  `${figure(count)} ${count === 1 ? what : what.replace(/x$/, "xe").concat("s")}`;

export function sized(bytes: number): string {
  const units = ["bytes", "KB", "MB", "GB", "TB"];
  let [value, at] = [bytes, 0];
  while (value >= 1000 && at < units.length - 1) [value, at] = [value / 1000, at + 1];
  return `${at === 0 ? value : value.toFixed(1)} ${units[at]}`;
}

/** The bar's text, no wider than the terminal. */
export function barText({ name, done, total, bytes }: Step, seconds: number, columns: number): string {
  const share = total === 0 ? 1 : Math.min(1, done / total);
  const full = Math.floor(share * BAR);
  const bar = `${"█".repeat(full)}${"░".repeat(BAR - full)}`;
  const speed = seconds > 0 && bytes > 0 ? `, ${sized(Math.round(bytes / seconds))}/s` : "";
  const text = `${name} ${bar} ${Math.floor(share * 100)} % ${figure(done)} of ${figure(total)}${speed}`;
  return text.length < columns ? text : text.slice(0, Math.max(0, columns - 1));
}

export class Progress {
  readonly #screen: Screen;
  #isDrawn = false;
  #drawnAt = Number.NEGATIVE_INFINITY;
  #name = "";
  #begun = 0;
  #tenth = 0;

  constructor(screen: Screen) {
    this.#screen = screen;
  }

  line(text: string): void {
    this.#clear();
    this.#screen.write(`${text}\n`);
  }

  step(step: Step): void {
    const { columns } = this.#screen;
    const now = this.#screen.now();
    if (step.name !== this.#name) {
      [this.#name, this.#begun, this.#tenth] = [step.name, now, 0];
      this.#drawnAt = Number.NEGATIVE_INFINITY;
    }
    if (columns !== undefined) {
      if (now - this.#drawnAt < REDRAWN_MILLIS) return;
      this.#drawnAt = now;
      this.#screen.write(`\r\u001B[K${barText(step, (now - this.#begun) / 1000, columns)}`);
      this.#isDrawn = true;
      return;
    }
    const tenth = step.total < LONG ? 0 : Math.floor((step.done / step.total) * TENTHS);
    if (tenth <= this.#tenth || tenth >= TENTHS) return;
    this.#tenth = tenth;
    this.line(`${step.name}: ${figure(step.done)} of ${figure(step.total)} documents`);
  }

  /** Takes the bar away. */
  end(): void {
    this.#clear();
  }

  #clear(): void {
    if (this.#isDrawn) this.#screen.write("\r\u001B[K");
    this.#isDrawn = false;
  }
}
