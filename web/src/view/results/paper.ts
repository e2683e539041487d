/**
 * Whether the browser prints, for what draws itself otherwise on paper.
 *
 * Invariant: known to elements that are made while it prints, too: what was folded is drawn for paper alone.
 */
import type { ReactiveController, ReactiveControllerHost } from "lit";

let isPrinting = false;
// Before any element's: those are told in the order in which they came.
addEventListener("beforeprint", () => (isPrinting = true));
addEventListener("afterprint", () => (isPrinting = false));

/** Draws its host anew when printing begins and ends. */
export class Paper implements ReactiveController {
  readonly #changed: () => void;

  /** `changed`: called before the host is drawn anew. */
  constructor(host: ReactiveControllerHost, changed: () => void = () => undefined) {
    this.#changed = () => {
      changed();
      host.requestUpdate();
    };
    host.addController(this);
  }

  /** The browser prints. */
  get isPrinting(): boolean {
    return isPrinting;
  }

  hostConnected(): void {
    addEventListener("beforeprint", this.#changed);
    addEventListener("afterprint", this.#changed);
  }

  hostDisconnected(): void {
    removeEventListener("beforeprint", this.#changed);
    removeEventListener("afterprint", this.#changed);
  }
}
