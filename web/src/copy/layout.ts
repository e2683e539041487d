/**
 * Lays code out: on one line when it fits, otherwise broken at its brackets, the outer ones first.
 *
 * Invariant: pure; a piece never holds a line break of its own.
 */
export type Piece = string | readonly Piece[] | Bracketed | Chain;

interface Bracketed {
  readonly open: string;
  readonly items: readonly Piece[];
  readonly close: string;
  /** Spaces inside the brackets on one line. */
  readonly padded: boolean;
  /** A comma after the last item when broken. */
  readonly trailing: boolean;
}

/** A first piece, and calls on it that go to lines of their own when all do not fit. */
interface Chain {
  readonly first: Piece;
  readonly calls: readonly Piece[];
}

export interface Layout {
  readonly width: number;
  readonly indent: string;
}

export function bracketed(
  open: string,
  items: readonly Piece[],
  close: string,
  { padded = false, trailing = false } = {},
): Piece {
  return items.length === 0 ? open + close : { open, items, close, padded, trailing };
}

export function chain(first: Piece, calls: readonly Piece[]): Piece {
  return calls.length === 0 ? first : { first, calls };
}

function isList(piece: Piece): piece is readonly Piece[] {
  return Array.isArray(piece);
}

function flat(piece: Piece): string {
  if (typeof piece === "string") return piece;
  if (isList(piece)) return piece.map(flat).join("");
  if ("first" in piece) return flat(piece.first) + piece.calls.map(flat).join("");
  const space = piece.padded ? " " : "";
  return piece.open + space + piece.items.map(flat).join(", ") + space + piece.close;
}

/** The text of a piece that begins at a column of a line indented so deep. */
export function layOut(piece: Piece, layout: Layout, column = 0, depth = 0): string {
  const line = flat(piece);
  if (typeof piece === "string" || column + line.length <= layout.width) return line;
  const inner = layout.indent.repeat(depth + 1);
  if (isList(piece)) {
    let text = "";
    for (const part of piece) {
      const last = text.slice(text.lastIndexOf("\n") + 1);
      text += layOut(part, layout, text.includes("\n") ? last.length : column + last.length, depth);
    }
    return text;
  }
  if ("first" in piece) {
    return [
      layOut(piece.first, layout, column, depth),
      ...piece.calls.map((call) => inner + layOut(call, layout, inner.length, depth + 1)),
    ].join("\n");
  }
  const items = piece.items.map((item) => inner + layOut(item, layout, inner.length, depth + 1));
  return (
    `${piece.open}\n${items.join(",\n")}${piece.trailing ? "," : ""}\n` + `${layout.indent.repeat(depth)}${piece.close}`
  );
}

/** Every line but empty ones, indented. */
export function indented(text: string, by: string): string {
  return text.replace(/^(?=.)/gm, by);
}
