/**
 * `<ttl-dial>`: a TTL index under a dial: as its hand moves, the documents that will have expired by then fade.
 *
 * Invariant: moving the hand changes nothing; the engine's clock is set by the button alone.
 */
import { css, html, nothing, svg, type TemplateResult } from "lit";
import { property, state } from "lit/decorators.js";
import { joinSentences } from "../messages/sentences.ts";
import { wordFailure } from "../state/controller.ts";
import { wordCell } from "../state/values.ts";
import {
  countGone,
  dialEnd,
  goneBy,
  readExpiry,
  resetClock,
  setClock,
  type Expiring,
  type Expiry,
} from "../state/xray/ttl.ts";
import { shared } from "../look/shared.ts";
import { PlanElement } from "./plan-element.ts";
import { xrayElement } from "./xray-element.ts";
import { xrayStyles } from "./xray-styles.ts";

@xrayElement("ttl-dial")
export class TtlDial extends PlanElement {
  @property() database = "";
  @property() collection = "";
  @property() index = "";
  @state() private expiry: Expiry | null = null;
  @state() private failure = "";
  @state() private time = 0;
  /** How many documents are expired at `time`, counted by the engine where not all of them are drawn; else null. */
  @state() private counted: number | null = null;
  @state() private working = false;
  #asked = 0;

  static override styles = [
    shared,
    xrayStyles,
    css`
      circle { fill: var(--paper-2); stroke: var(--rule-strong); stroke-width: 1; }
      .tick { stroke: var(--thread); stroke-width: 2.2; }
      .tick.gone { stroke: var(--rule-strong); stroke-width: 1.2; opacity: 0.6; }
      .swept { fill: var(--paper-3); stroke: none; }
      .hand { stroke: var(--ink); stroke-width: 2.2; stroke-linecap: round; }
      .hub { fill: var(--ink); stroke: none; }
      text { fill: var(--ink); stroke: none; font: 500 12px var(--serif); text-anchor: middle; }
      .list li { transition: opacity 0.4s; }
      .when { font: 400 var(--code)/1.5 var(--mono); }
    `,
  ];

  protected override firstUpdated(): void {
    void this.read();
  }

  private async read(): Promise<void> {
    try {
      this.expiry = await readExpiry(this.host.changer, this.database, this.collection, this.index);
      this.time = this.expiry.now;
      this.failure = "";
      this.counted = null;
    } catch (error) {
      this.failure = wordFailure(error);
    }
  }

  private async turn(time: number): Promise<void> {
    const { expiry } = this;
    if (expiry === null) return;
    this.time = time;
    this.counted = null;
    if (goneBy(expiry, time) !== null) return;
    this.#asked += 1;
    const asked = this.#asked;
    try {
      const counted = await countGone(this.host.changer, expiry, time);
      // Another turn of the hand has asked since.
      if (asked === this.#asked) this.counted = counted;
    } catch (error) {
      this.failure = wordFailure(error);
    }
  }

  private async attempt(work: (expiry: Expiry) => Promise<void>): Promise<void> {
    if (this.working || this.expiry === null) return;
    this.working = true;
    try {
      await work(this.expiry);
      await this.host.wrote();
      await this.read();
    } catch (error) {
      this.failure = wordFailure(error);
    } finally {
      this.working = false;
    }
  }

  protected override render(): TemplateResult {
    const { expiry, p } = this;
    return html`<p class="failure" role="alert">${this.failure}</p>
      ${expiry === null ? (this.failure === "" ? html`<p>${p["xray.reading"]}</p>` : nothing) : this.drawn(expiry)}`;
  }

  private worded(time: number): string {
    return new Date(time)
      .toISOString()
      .replace("T", " ")
      .replace(/\.\d+Z$/, " UTC");
  }

  private drawn(expiry: Expiry): TemplateResult {
    const { p, words, time } = this;
    const end = dialEnd(expiry);
    const gone = goneBy(expiry, time) ?? this.counted;
    const ahead = time - expiry.now;
    return html`<div class="beside">
      ${this.dial(expiry, end)}
      <div>
        <p class="said">${p["ttl.rule"](expiry.field, words.duration(1000 * expiry.seconds))}</p>
        <p class="said"><label for="hand">${p["ttl.hand"]}</label>
          <input id="hand" type="range" min=${expiry.now} max=${end} step="1000" .value=${String(time)}
            aria-valuetext=${this.worded(time)}
            @input=${(event: Event) => void this.turn((event.target as HTMLInputElement).valueAsNumber)}></p>
        <p class="said"><span class="when">${this.worded(time)}</span>
          <span class="quietly">${ahead === 0 ? p["ttl.now"] : p["ttl.ahead"](words.duration(ahead))}</span></p>
        <p class="said" role="status">${joinSentences([
          expiry.dated === 0
            ? p["ttl.none"]
            : gone === null
              ? p["xray.reading"]
              : p["ttl.gone"](words.number(gone), words.number(expiry.dated)),
          ...(expiry.lasting === 0 ? [] : [p["ttl.lasting"](words.number(expiry.lasting))]),
        ])}</p>
        <p class="said quietly">${p["ttl.pass"]}</p>
        ${expiry.offset === 0 ? nothing : html`<p class="said">${p["ttl.offset"](words.duration(expiry.offset))}</p>`}
        <p class="buttons">
          <button class="button" ?disabled=${ahead <= 0} aria-disabled=${String(this.working)}
            @click=${() => void this.attempt((read) => setClock(this.host.changer, read, time))}>${
              p["ttl.set"]
            }</button>
          ${
            expiry.offset === 0
              ? nothing
              : html`<button class="button" aria-disabled=${String(this.working)}
                @click=${() => void this.attempt(() => resetClock(this.host.changer))}>${p["ttl.reset"]}</button>`
          }
          <button class="button" @click=${() => void this.read()}>${p["xray.again"]}</button>
        </p>
      </div>
    </div>
    <ol class="list" tabindex="0" aria-label=${p["ttl.list"]} ?hidden=${expiry.dated === 0}>
      ${expiry.documents.map((each) => this.line(each))}
      ${
        expiry.documents.length === expiry.dated
          ? nothing
          : html`<li><span>${p["ttl.more"](words.number(expiry.dated - expiry.documents.length))}</span></li>`
      }
    </ol>`;
  }

  private line({ id, expires }: Expiring): TemplateResult {
    const isGone = expires <= this.time;
    return html`<li class=${isGone ? "gone" : ""}><code>${wordCell(id)}</code>
      <span>${this.worded(expires)}${
        isGone ? html`<span class="unseen"> ${this.p["ttl.expired"]}</span>` : nothing
      }</span></li>`;
  }

  private dial(expiry: Expiry, end: number): TemplateResult {
    const share = (time: number): number => Math.max(0, Math.min(1, (time - expiry.now) / (end - expiry.now)));
    const at = (turn: number, radius: number): string =>
      `${(radius * Math.sin(2 * Math.PI * turn)).toFixed(2)} ${(-radius * Math.cos(2 * Math.PI * turn)).toFixed(2)}`;
    const turn = Math.min(share(this.time), 0.9999);
    const swept = `M0 0L0 -88A88 88 0 ${turn > 0.5 ? 1 : 0} 1 ${at(turn, 88)}z`;
    return html`<svg class="drawing" viewBox="-100 -100 200 200" aria-hidden="true">
      <circle r="88"></circle>
      ${turn === 0 ? nothing : svg`<path class="swept" d=${swept}></path>`}
      ${expiry.documents.map(({ expires }) => {
        const where = Math.min(share(expires), 0.9999);
        const look = expires <= this.time ? "tick gone" : "tick";
        return svg`<path class=${look} d="M${at(where, 76)}L${at(where, 92)}"></path>`;
      })}
      ${svg`<path class="hand" d="M0 0L${at(turn, 70)}"></path>`}
      <circle class="hub" r="4"></circle>
    </svg>`;
  }
}
