/**
 * Keeps what a run gave in sight: the list of results goes to its newest run when that begins, and when it has ended to
 * the part of it that is its outcome.
 *
 * Invariants: an outcome that grows or comes later (code that is fetched, a plan) is followed until the reader takes
 * the list in hand; a later change of an earlier result moves nothing; a list that is not shown is placed when it is.
 */
import type { ReactiveController, ReactiveControllerHost } from "lit";
import type { Leaf } from "../../state/model.ts";

/** A run on the page. */
export interface DrawnRun extends HTMLElement {
  readonly leaf: Leaf;
  /** The part that is its outcome, once it is drawn. */
  readonly given?: HTMLElement | null;
}

/** The share of the list that an outcome has to fill, or be in whole, before the list leaves the run's head. */
const enough = 0.6;
/** Events by which a reader takes the list in hand. */
const hands = ["wheel", "pointerdown", "touchstart", "keydown"] as const;

export class InSight implements ReactiveController {
  readonly #host: ReactiveControllerHost & HTMLElement;
  readonly #listOf: () => HTMLElement | null;
  /** The newest runs that were seen to begin and to end. */
  #begun = 0;
  #ended = 0;
  #followed: DrawnRun | null = null;
  readonly #sizes = new ResizeObserver(() => this.#place());

  constructor(host: ReactiveControllerHost & HTMLElement, listOf: () => HTMLElement | null) {
    this.#host = host;
    this.#listOf = listOf;
    host.addController(this);
  }

  hostConnected(): void {
    for (const hand of hands) this.#host.addEventListener(hand, this.#release, { passive: true });
  }

  hostDisconnected(): void {
    for (const hand of hands) this.#host.removeEventListener(hand, this.#release);
    this.#release();
  }

  readonly #release = (): void => {
    this.#followed = null;
    this.#sizes.disconnect();
  };

  /** The runs were drawn, of which this is the newest. */
  drawn(newest: Leaf | undefined): void {
    const list = this.#listOf();
    if (list === null || newest === undefined) return;
    const { number } = newest;
    if (number > this.#begun) {
      this.#begun = number;
      this.#release();
      // A browser keeps a scrolled list where it is when something comes above.
      list.scrollTop = 0;
    }
    if (newest.state !== "done" || number <= this.#ended) return;
    this.#ended = number;
    const run = [...list.querySelectorAll<DrawnRun>("page-leaf")].find((one) => one.leaf.number === number);
    if (run === undefined) return;
    this.#followed = run;
    this.#sizes.observe(list);
    this.#sizes.observe(run);
  }

  #place(): void {
    const list = this.#listOf();
    const run = this.#followed;
    if (list === null || run === null || list.clientHeight === 0) return;
    if (!run.isConnected || run.leaf.folded) return this.#release();
    const top = (part: HTMLElement): number =>
      part.getBoundingClientRect().top - list.getBoundingClientRect().top + list.scrollTop;
    const given = run.given ?? run;
    const head = top(run);
    const wanted = Math.min(given.offsetHeight, enough * list.clientHeight);
    const isSeen = head + list.clientHeight - top(given) >= wanted;
    list.scrollTop = isSeen ? head : top(given);
  }
}
