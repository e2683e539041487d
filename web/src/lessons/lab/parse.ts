/**
 * Reads a lab's `scripts.md`: designs of the same data, and the application's operations on each.
 *
 * Invariants: pure; every operation has a script for every design, or the lab is refused, so that the same work is
 * compared; text between the blocks is for authors.
 */
import { fencedBlocks, scriptInside } from "../course/blocks.ts";

export type OperationKind = "read" | "write";

/** A way to lay out the data. */
export interface Design {
  readonly id: string;
  /** Makes the data; `n` is the scale. */
  readonly load: string;
}

/** A read or a change of the application, with its script for each design. */
export interface Operation {
  readonly id: string;
  readonly kind: OperationKind;
  /** By the design's id. */
  readonly scripts: ReadonlyMap<string, string>;
}

export interface LabScripts {
  readonly designs: readonly Design[];
  readonly operations: readonly Operation[];
}

/** A fault of a lab's scripts, worded with its block. */
export class LabFault extends Error {
  override readonly name = "LabFault";
}

const ID = /^[a-z][a-z0-9-]*$/;

/** Reads the fenced blocks; throws a `LabFault` that names the block. */
export function parseScripts(markdown: string): LabScripts {
  const designs = new Map<string, Design>();
  const operations = new Map<string, { kind: OperationKind; scripts: Map<string, string> }>();
  for (const block of fencedBlocks(markdown)) {
    const { words, text: source, line } = block;
    const [language, kind, id = "", design = "", ...more] = words;
    if (language !== "js" || kind === undefined) continue;
    const info = words.join(" ");
    const inside = scriptInside(block);
    if (inside !== null)
      throw new LabFault(`the block of line ${inside} begins inside \`${info}\` of line ${line}, which is not closed`);
    if (kind === "design") {
      if (!ID.test(id) || design !== "") throw new LabFault(`\`${info}\` has to be \`js design ID\``);
      if (designs.has(id)) throw new LabFault(`the design ${id} is there twice`);
      designs.set(id, { id, load: source });
    } else if (kind === "read" || kind === "write") {
      if (!ID.test(id) || !ID.test(design) || more.length > 0)
        throw new LabFault(`\`${info}\` has to be \`js ${kind} OPERATION DESIGN\``);
      if (id === "design") throw new LabFault("an operation cannot be called `design`, as the script of the data is");
      const operation = operations.get(id) ?? { kind, scripts: new Map<string, string>() };
      if (operation.kind !== kind) throw new LabFault(`the operation ${id} both reads and writes`);
      if (operation.scripts.has(design)) throw new LabFault(`${id} is there twice for ${design}`);
      operation.scripts.set(design, source);
      operations.set(id, operation);
    } else throw new LabFault(`\`${info}\`: a block is a design, a read or a write`);
  }
  if (designs.size < 2) throw new LabFault("a lab has two designs or more");
  if (operations.size === 0) throw new LabFault("a lab has operations");
  for (const [id, { scripts }] of operations) {
    for (const design of designs.keys()) if (!scripts.has(design)) throw new LabFault(`${id} has no ${design}`);
    for (const design of scripts.keys())
      if (!designs.has(design)) throw new LabFault(`${id} names the design ${design}, which is not there`);
  }
  return {
    designs: [...designs.values()],
    operations: [...operations].map(([id, operation]) => ({ id, ...operation })),
  };
}
