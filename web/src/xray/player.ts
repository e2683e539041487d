/**
 * Plays the steps of a drawing one after another, with its buttons: back, play or pause, next.
 *
 * Invariant: nothing goes on once the drawing is gone from its page.
 */
import { html, type ReactiveController, type ReactiveControllerHost, type TemplateResult } from "lit";
import type { InsideMessages } from "../messages/xray/inside-words.ts";

/** Milliseconds between two steps that are played. */
const PACE = 900;

/** The steps that a player goes through, and the place where it is; its host keeps both. */
export interface Played {
  /** How many steps there are now. */
  readonly steps: () => number;
  readonly step: () => number;
  readonly go: (step: number) => void;
}

export class Player implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  readonly #played: Played;
  #timer = 0;
  #isPlaying = false;

  constructor(host: ReactiveControllerHost, played: Played) {
    this.#host = host;
    this.#played = played;
    host.addController(this);
  }

  hostDisconnected(): void {
    this.pause();
  }

  pause(): void {
    clearTimeout(this.#timer);
    this.#isPlaying = false;
    this.#host.requestUpdate();
  }

  play(): void {
    if (this.#isPlaying) return this.pause();
    const { steps, step, go } = this.#played;
    this.#isPlaying = true;
    if (step() >= steps() - 1) go(0);
    const on = (): void => {
      if (step() >= steps() - 1) return this.pause();
      go(step() + 1);
      this.#timer = window.setTimeout(on, PACE);
    };
    this.#timer = window.setTimeout(on, PACE);
    this.#host.requestUpdate();
  }

  buttons(x: InsideMessages): TemplateResult {
    const { steps, step, go } = this.#played;
    const now = step();
    return html`<p class="buttons">
      <button class="button" ?disabled=${now === 0} @click=${() => go(now - 1)}>${x["tree.back"]}</button>
      <button class="button" @click=${() => this.play()}>${this.#isPlaying ? x["tree.pause"] : x["tree.play"]}</button>
      <button class="button" ?disabled=${now >= steps() - 1} @click=${() => go(now + 1)}>${x["tree.next"]}</button>
    </p>`;
  }
}
