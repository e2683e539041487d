/**
 * The lines of values laid out as a tree, found by their number: nothing is made for a value that is folded or out of
 * sight.
 *
 * Invariants: the work of a look-up grows with the values that are open and not with how many there are; open values
 * stay open when values are added behind, and when one value takes another's place.
 */
import { isNested, partsOf } from "./values.ts";

export interface TreeLine {
  /** Positions from the top, as `3.0.2`: unique in the tree. */
  readonly key: string;
  /** The index of the value that the line belongs to. */
  readonly top: number;
  /** Zero for a value itself. */
  readonly depth: number;
  /** The field's name or the element's position; empty for a value itself. */
  readonly name: string;
  readonly value: unknown;
  /** Null where there is nothing to open. */
  readonly open: boolean | null;
  readonly position: number;
  readonly siblings: number;
  /** Names of the fields from the value down to here. */
  readonly path: readonly string[];
}

/** The open lines below one value, made once. */
interface OpenTop {
  readonly open: ReadonlySet<string>;
  readonly lines: readonly TreeLine[];
}

export class TreeLines {
  #values: readonly unknown[] = [];
  readonly #open = new Map<number, OpenTop>();
  /** Open values in order, and how many lines stand before each one's own lines. */
  #tops: readonly number[] = [];
  #before: readonly number[] = [];
  #extra = 0;

  /** The values from now on. The same ones with more behind, or with one changed, stay as open as they were. */
  become(values: readonly unknown[]): void {
    const before = this.#values;
    this.#values = values;
    if (before === values) return;
    const kept = [...this.#open];
    this.#open.clear();
    const grown = values.length - before.length;
    const isOther = before.length === 0 || grown < -1;
    if (isOther && values.length > 0) this.#remember(0, new Set([""]));
    if (!isOther) {
      // A value was taken out or put back: the values behind it move by one.
      const changed = grown === 0 ? -1 : values.findIndex((value, at) => value !== before[at]);
      const moves = changed >= 0 || grown === -1;
      for (const [top, { open, lines }] of kept) {
        if (grown === -1 && top === (changed < 0 ? values.length : changed)) continue;
        const to = moves && top >= (changed < 0 ? values.length : changed) ? top + grown : top;
        if (to >= values.length) continue;
        if (to === top && values[top] === before[top]) this.#open.set(top, { open, lines });
        else this.#remember(to, open);
      }
    }
    this.#index();
  }

  get count(): number {
    return this.#values.length + this.#extra;
  }

  /** The line of a number from 0; undefined beyond the last. */
  lineAt(number: number): TreeLine | undefined {
    let low = 0;
    let high = this.#tops.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#tops[middle] as number) + (this.#before[middle] as number) <= number) low = middle + 1;
      else high = middle;
    }
    const at = low - 1;
    if (at < 0) return this.#topLine(number);
    const top = this.#tops[at] as number;
    const lines = this.#open.get(top)?.lines ?? [];
    const offset = number - top - (this.#before[at] as number);
    if (offset === 0) return this.#topLine(top);
    return lines[offset - 1] ?? this.#topLine(top + offset - lines.length);
  }

  /** The number of a line; -1 when it is not there. */
  numberOf(key: string): number {
    const top = Number(key.split(".", 1)[0]);
    if (!(top < this.#values.length)) return -1;
    let start = top;
    for (const open of this.#tops) if (open < top) start += this.#open.get(open)?.lines.length ?? 0;
    if (!key.includes(".")) return start;
    const inside = this.#open.get(top)?.lines.findIndex((line) => line.key === key) ?? -1;
    return inside < 0 ? -1 : start + inside + 1;
  }

  toggle(line: TreeLine, open: boolean): void {
    const paths = new Set(this.#open.get(line.top)?.open ?? []);
    const path = line.key.slice(String(line.top).length);
    if (open) paths.add(path);
    else paths.delete(path);
    this.#remember(line.top, paths);
    this.#index();
  }

  #topLine(top: number): TreeLine | undefined {
    if (top >= this.#values.length) return undefined;
    const value = this.#values[top];
    return {
      key: String(top),
      top,
      depth: 0,
      name: "",
      value,
      open: isOpenable(value) ? (this.#open.get(top)?.open.has("") ?? false) : null,
      position: top + 1,
      siblings: this.#values.length,
      path: [],
    };
  }

  #remember(top: number, open: ReadonlySet<string>): void {
    const lines: TreeLine[] = [];
    if (open.has("")) addLines(lines, this.#values[top], top, String(top), "", 1, [], open);
    if (open.size === 0) this.#open.delete(top);
    else this.#open.set(top, { open, lines });
  }

  #index(): void {
    const before: number[] = [];
    let lines = 0;
    this.#tops = [...this.#open.keys()].sort((one, other) => one - other);
    for (const top of this.#tops) {
      before.push(lines);
      lines += this.#open.get(top)?.lines.length ?? 0;
    }
    this.#before = before;
    this.#extra = lines;
  }
}

function isOpenable(value: unknown): boolean {
  return isNested(value) && partsOf(value).length > 0;
}

function addLines(
  lines: TreeLine[],
  value: unknown,
  top: number,
  key: string,
  path: string,
  depth: number,
  names: readonly string[],
  open: ReadonlySet<string>,
): void {
  if (!isNested(value)) return;
  const parts = partsOf(value);
  for (const [index, [name, part]] of parts.entries()) {
    const at = `${path}.${index}`;
    const below = [...names, name];
    const isOpen = isOpenable(part) ? open.has(at) : null;
    lines.push({
      key: `${key}.${index}`,
      top,
      depth,
      name,
      value: part,
      open: isOpen,
      position: index + 1,
      siblings: parts.length,
      path: below,
    });
    if (isOpen === true) addLines(lines, part, top, `${key}.${index}`, at, depth + 1, below, open);
  }
}
