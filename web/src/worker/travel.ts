/**
 * Undo and redo over the moments of a deployment: which state is meant, which changes that takes back, and going there.
 *
 * Moments are a tree (`protocol/moments.ts`). Where the present is in it is told by the newest moment, after the
 * present was kept. Undo goes to the moment that a change was made on, redo to the newest that was made on this one.
 * Going leaves a moment which says whose data it has (`is`), in the place of the one that the last going left.
 * Invariants: nothing is taken back that was not kept before; a change of another tab, or more than was asked for, only
 * when the reader knows; all within one turn.
 */
import type { Document } from "bson";
import { decode } from "../codec/decode.ts";
import { encode } from "../codec/encode.ts";
import { Knots, noteOf, type ChangeCounts, type Knot, type Travel, type Travelled } from "../protocol/moments.ts";
import type { Moments } from "./moments.ts";

const NO_CHANGES: ChangeCounts = { added: 0, removed: 0, changed: 0, pages: 0 };

class TravelFailure extends Error {
  override readonly name = "TravelFailure";
}

export class Traveller {
  readonly #moments: Moments;

  constructor(moments: Moments) {
    this.#moments = moments;
  }

  async #ask(command: Document): Promise<Document> {
    const reply = decode(await this.#moments.command(encode({ ...command, $db: "admin" })));
    if (reply["ok"] !== 1) throw new TravelFailure(String(reply["errmsg"] ?? ""));
    return reply;
  }

  /** Undoes or redoes; to be called in a turn of its own. */
  async go(travel: Travel): Promise<Travelled> {
    // Nothing is taken back that was not kept.
    const present = await this.#moments.keep({ did: "elsewhere" });
    if (present.ok !== 1) throw new TravelFailure(present.errmsg ?? "");
    const { moments } = await this.#ask({ quireMoments: 1 });
    const all = (moments as readonly Document[]).map(
      (one): Knot => ({
        number: Number(one["number"]),
        name: (one["name"] as string | undefined) ?? null,
        note: noteOf(one["what"] as string | undefined, one["from"]),
      }),
    );
    const knots = new Knots(all);
    const { newest } = knots;
    if (newest === null) return { kind: "nothing", why: "first" };
    return travel.to === "redo" ? this.#redo(knots, newest) : this.#undo(knots, newest, travel, all.length);
  }

  async #undo(knots: Knots, newest: Knot, { of, sure, tab }: Travel, count: number): Promise<Travelled> {
    const taken: Knot[] = [];
    let knot = knots.origin(newest);
    // Each is older than the one after it, but a note that somebody else wrote may say otherwise.
    for (let left = count; left > 0; left -= 1) {
      const before = knots.before(knot);
      if (before === null) {
        const isFirst = knot.note.from === undefined && knot.note.is === undefined;
        return { kind: "nothing", why: isFirst ? (of === null ? "first" : "not-here") : "gone" };
      }
      const counts = of === null || of === knot.number ? await this.#difference(before.number) : null;
      taken.push(knot);
      if (counts !== null) {
        const changes = of === null ? taken.slice(-1) : taken;
        const isSurprising = ({ number, note }: Knot): boolean =>
          !sure.includes(number) && (note.tab !== tab || (of !== null && number !== of));
        if (changes.some(isSurprising)) return { kind: "asks", changes };
        await this.#restore(before, knots, newest);
        return { kind: "done", changes, counts };
      }
      if (of === knot.number) return { kind: "nothing", why: "not-here" };
      knot = before;
    }
    return { kind: "nothing", why: "first" };
  }

  async #redo(knots: Knots, newest: Knot): Promise<Travelled> {
    let here = knots.origin(newest);
    let next = knots.next(here);
    // A bookmark of the same state, which a script made, is no place of its own.
    while (next === null && here.note.from === undefined && here.note.is === undefined) {
      const before = knots.before(here);
      if (before === null || (await this.#difference(before.number)) !== null) break;
      here = before;
      next = knots.next(here);
    }
    if (next === null) return { kind: "nothing", why: "first" };
    const counts = (await this.#difference(next.number)) ?? NO_CHANGES;
    await this.#restore(next, knots, newest);
    return { kind: "done", changes: [next], counts };
  }

  /** How the present differs from a moment; null: not at all. */
  async #difference(from: number): Promise<ChangeCounts | null> {
    const { collections } = await this.#ask({ quireDifference: 1, from });
    const all = collections as readonly Document[];
    if (all.length === 0) return null;
    const sum = (field: string): number => all.reduce((total, one) => total + Number(one[field] ?? 0), 0);
    return { added: sum("added"), removed: sum("removed"), changed: sum("changed"), pages: sum("pages") };
  }

  /** Goes to a moment, and notes where the present is now. */
  async #restore({ number }: Knot, knots: Knots, newest: Knot): Promise<void> {
    await this.#ask({ quireRestore: number });
    const made = await this.#moments.keep({ did: "restore", is: number });
    // The moment that the last going left: it has the data of another moment, and nobody named it.
    const isLeft = newest.name === null && knots.origin(newest) !== newest;
    if (made.ok === 1 && !made.reused && isLeft) await this.#ask({ quireDropMoment: newest.number });
  }
}
