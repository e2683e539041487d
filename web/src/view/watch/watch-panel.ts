/**
 * `<watch-panel>`: the changes of a collection as they are made, by this tab and by others, and one of them open.
 *
 * Invariants: there is a cursor only while the panel is there and not paused; the list is an ARIA listbox, the newest
 * event first, and what is chosen in it stays when more come; where the stream was is kept over a reload.
 */
import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";
import { closeIcon } from "../../look/icons.ts";
import { shared } from "../../look/shared.ts";
import { wordFailure } from "../../state/controller.ts";
import type { AppState, OpenWatch } from "../../state/model.ts";
import { watchKinds, type Touched, type WatchEvent } from "../../state/watch/event.ts";
import { obstacleOf, WatchStream } from "../../state/watch/stream.ts";
import {
  cleared,
  countsOf,
  emptyWatch,
  KEPT_BYTES,
  KEPT_EVENTS,
  listed,
  toggled,
  withEvents,
  type Start,
  type WatchState,
} from "../../state/watch/watch.ts";
import { referenceTo } from "../data/menu-target.ts";
import { WatchElement } from "./watch-element.ts";
import "./watch-event.ts";
import type { WatchEventView } from "./watch-event.ts";
import { kindStyles, watchStyles } from "./watch-styles.ts";

/** Events that a key for a page goes over. */
const PAGE = 10;

@customElement("watch-panel")
export class WatchPanel extends WatchElement {
  @property({ attribute: false }) app!: AppState;
  @state() private watch: WatchState = emptyWatch({ kind: "now", at: 0 });
  /** The number of the event that keys are at. */
  @state() private current: number | null = null;
  @query("[role=listbox]") private list!: HTMLElement | null;
  @query("h2") private heading!: HTMLElement | null;
  @query("watch-event") private event!: WatchEventView | null;
  #subject: OpenWatch | null = null;
  #stream: WatchStream | null = null;
  #hadFocus = false;

  static override styles = [shared, kindStyles, watchStyles];

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#stream?.close();
    this.#stream = null;
    this.#subject = null;
  }

  protected override willUpdate(changed: PropertyValues): void {
    this.#hadFocus = this.shadowRoot?.activeElement != null;
    const { watch } = this.app;
    if (changed.has("app") && watch !== null && watch !== this.#subject) void this.begin(watch);
  }

  protected override updated(changed: PropertyValues): void {
    if (changed.has("current"))
      this.list?.querySelector(`#e${this.current ?? ""}`)?.scrollIntoView({ block: "nearest" });
    // What had the focus, such as the button of a note or an event that gave way, is not there any more.
    if (this.#hadFocus && this.shadowRoot?.activeElement === null) this.heading?.focus();
  }

  private async begin(subject: OpenWatch): Promise<void> {
    const before = this.#subject;
    this.#subject = subject;
    // The reader asks again for the collection that is watched.
    const isSame = before?.database === subject.database && before.collection === subject.collection;
    if (subject.behind === null) void this.updateComplete.then(() => this.heading?.focus());
    if (isSame) return;
    this.#stream?.close();
    this.current = null;
    this.watch = emptyWatch({ kind: "now", at: Date.now() });
    const stream = new WatchStream(this.controller, subject, {
      opened: (images) => {
        this.watch = { ...this.watch, images, status: { kind: "live" } };
      },
      came: (events, skipped) => {
        this.watch = withEvents(this.watch, events, skipped);
      },
      reached: (token) => this.keep(token),
      ended: () => {
        const by = this.watch.events.findLast(({ operation }) => operation !== "invalidate")?.operation ?? "";
        this.watch = { ...this.watch, status: { kind: "ended", by } };
        // Behind the end of a stream nothing goes on by itself.
        this.keep(null);
      },
      failed: (error) => {
        const status = { kind: "failed", obstacle: obstacleOf(error), message: wordFailure(error) } as const;
        this.watch = { ...this.watch, status };
      },
    });
    this.#stream = stream;
    await this.controller.open();
    // Where a script waited for the engine too, the state is told after it was sent.
    await new Promise((told) => setTimeout(told));
    if (this.#stream !== stream) return;
    const token = subject.behind?.token ?? null;
    // What was in memory is gone with the page before.
    if (subject.behind === null || token === null || this.isInMemory) return this.follow(null, "now");
    this.follow(token, "reload", subject.behind.seen);
  }

  private follow(
    token: string | null,
    why: "now" | Extract<Start, { kind: "behind" }>["why"],
    seen = Date.now(),
  ): void {
    const start: Start = why === "now" ? { kind: "now", at: seen } : { kind: "behind", why, seen };
    this.watch = { ...this.watch, start, status: { kind: "opening" } };
    void this.#stream?.follow(token);
  }

  private keep(token: string | null): void {
    const { database = "", collection = "" } = this.#subject ?? {};
    this.controller.keepWatch({ database, collection, token, seen: Date.now() });
  }

  private get isInMemory(): boolean {
    return this.store.state.deployment?.mode === "memory";
  }

  private pause(): void {
    this.#stream?.close();
    this.watch = { ...this.watch, status: { kind: "paused", at: Date.now() } };
  }

  /** Goes on behind the last event. */
  private resume(why: "pause" | "end", seen?: number): void {
    const token = this.#stream?.token ?? null;
    this.follow(token, token === null ? "now" : why, seen);
  }

  private close(): void {
    this.controller.keepWatch(null);
    this.store.dispatch({ kind: "watch-shown", watch: null });
    this.dispatchEvent(new CustomEvent("focus-lost", { bubbles: true, composed: true }));
  }

  /** Escape goes back from an event to the list, and from there closes the panel. */
  private onEscape(event: KeyboardEvent): void {
    if (event.key !== "Escape" || event.defaultPrevented) return;
    event.preventDefault();
    if (this.watch.opened === null) this.close();
    else this.back();
  }

  private back(): void {
    const { opened } = this.watch;
    this.watch = { ...this.watch, opened: null };
    this.current = opened;
    void this.updateComplete.then(() => this.list?.focus());
  }

  protected override render(): TemplateResult {
    const { app, watch } = this;
    if (app.watch === null) return html``;
    const { database, collection } = app.watch;
    return html`<div class="head" @keydown=${(event: KeyboardEvent) => this.onEscape(event)}>
        <h2 class="running-head" tabindex="-1">${this.titled(`${database}.${collection}`)}</h2>
        ${this.status()}
        ${this.kinds()}
        ${this.actions()}
      </div>
      ${this.note()} ${this.room()}
      <div class="beside ${watch.opened === null ? "" : "open"}"
        @keydown=${(event: KeyboardEvent) => this.onEscape(event)}>
        ${this.body(collection)}
      </div>`;
  }

  private titled(name: string): TemplateResult {
    const [before = "", after = ""] = this.w["title"]("\0").split("\0");
    return html`${before}<code>${name}</code>${after}`;
  }

  private status(): TemplateResult {
    const { w, words, watch } = this;
    const { status, start } = watch;
    const text =
      status.kind === "opening"
        ? w["opening"]
        : status.kind === "live"
          ? start.kind === "now"
            ? w["live.now"](words.clock(start.at))
            : w[`live.${start.why}`](words.clock(start.seen))
          : "";
    const look = status.kind === "live" ? "live" : status.kind === "failed" ? "bad" : "";
    const count = watch.came === 0 ? "" : w["count"](words.number(watch.came));
    const memory = this.isInMemory && status.kind === "live" ? w["memory"] : "";
    // Said is how the stream is, and not each event.
    return html`<p class="status ${look}"><i></i><span role="status">${text}</span>${[count, memory]
      .filter((part) => part !== "")
      .map((part) => html`<span>${part}</span>`)}</p>`;
  }

  private kinds(): TemplateResult {
    const { w, words, watch } = this;
    const counts = countsOf(watch);
    return html`<div class="kinds" role="group" aria-label=${w["kind.group"]}>${watchKinds.map(
      (kind) =>
        html`<button class="quiet" aria-pressed=${String(!watch.hidden.has(kind))}
          title=${kind === "other" ? w["kind.other.hint"] : nothing}
          @click=${() => (this.watch = toggled(watch, kind))}><span class="kind ${kind}">${
            kind === "other" ? w["kind.other"] : kind
          }</span><span class="count">${words.number(counts[kind])}</span></button>`,
    )}</div>`;
  }

  private actions(): TemplateResult {
    const { w, watch } = this;
    const { status } = watch;
    return html`<div class="actions">
      ${
        // One button throughout, so that the focus stays on it.
        status.kind === "ended" || status.kind === "failed"
          ? nothing
          : html`<button class="quiet" @click=${() =>
              status.kind === "paused" ? this.resume("pause", status.at) : this.pause()}>${
              w[status.kind === "paused" ? "do.go" : "do.pause"]
            }</button>`
      }
      <button class="quiet" aria-disabled=${String(watch.events.length === 0 && watch.dropped === 0)}
        @click=${() => (this.watch = cleared(watch))}>${w["do.clear"]}</button>
      <button class="quiet icon" aria-label=${w["close"]} title=${w["close"]}
        @click=${() => this.close()}>${closeIcon()}</button>
    </div>`;
  }

  /** Why nothing comes, and what can be done about it. */
  private why(): { readonly tone: string; readonly text: string; readonly remedy?: TemplateResult } | null {
    const { w, words } = this;
    const { status } = this.watch;
    const button = (text: string, does: () => void): TemplateResult =>
      html`<button class="button" @click=${does}>${text}</button>`;
    switch (status.kind) {
      case "opening":
      case "live":
        return null;
      case "paused":
        return { tone: "warn", text: w["paused"](words.clock(status.at)) };
      case "ended": {
        const by = (["drop", "rename", "dropDatabase"] as const).find((name) => name === status.by) ?? "invalidate";
        return { tone: "warn", text: w[`ended.${by}`], remedy: button(w["do.behind"], () => this.resume("end")) };
      }
      case "failed":
        if (status.obstacle === "standalone") return { tone: "warn", text: w["failed.standalone"] };
        if (status.obstacle === "history") {
          const remedy = button(w["do.anew"], () => this.follow(null, "now"));
          return { tone: "bad", text: w["failed.history"], remedy };
        }
        return {
          tone: "bad",
          text: w["failed.other"](status.message),
          remedy: button(w["do.again"], () => this.resume("end")),
        };
    }
  }

  /** There from the start, as what comes together with its text is not said by every screen reader. */
  private note(): TemplateResult {
    const why = this.why();
    return html`<div class=${why === null ? "" : `note ${why.tone}`} role="status"
      @keydown=${(event: KeyboardEvent) => this.onEscape(event)}>${
        why === null ? nothing : html`<p>${why.text}</p>${why.remedy ?? nothing}`
      }</div>`;
  }

  private room(): TemplateResult | typeof nothing {
    const { w, words, watch } = this;
    if (watch.dropped === 0) return nothing;
    const told = w["dropped"](words.number(watch.dropped), words.number(KEPT_EVENTS), words.size(KEPT_BYTES));
    return html`<p class="room">${told}</p>`;
  }

  private body(collection: string): TemplateResult {
    const { w, words, watch, app } = this;
    const events = listed(watch);
    if (events.length === 0) {
      const hidden = watch.events.length;
      if (hidden > 0) return html`<p class="empty">${w["hidden"](words.number(hidden))}</p>`;
      return this.empty(collection);
    }
    const at = watch.events.find(({ number }) => number === watch.opened) ?? null;
    // The event that keys were at may have given way, or be hidden by now.
    const isListed = events.some(({ number }) => number === this.current);
    return html`<button class="quiet back" @click=${() => this.back()}>← ${w["do.back"]}</button>
      <div class="rows" role="listbox" tabindex="0" aria-label=${w["list"]}
        aria-activedescendant=${isListed ? `e${this.current}` : nothing}
        @focus=${() => isListed || ((this.current = events[0]?.number ?? null))}
        @keydown=${(event: KeyboardEvent) => this.onKey(event, events)}>${repeat(
          events,
          ({ number }) => number,
          (event) => this.row(event),
        )}</div>
      ${
        at === null || app.watch === null
          ? html`<p class="choose">${w["detail.none"]}</p>`
          : html`<watch-event .event=${at} .subject=${app.watch} .images=${watch.images === true}
            .isReadOnly=${app.deployment?.mode === "read-only"}
            @images-kept=${() => (this.watch = { ...this.watch, images: true })}
            lang=${app.settings.language}></watch-event>`
      }`;
  }

  private empty(collection: string): TemplateResult {
    const { w, watch } = this;
    if (watch.status.kind === "paused") return html`<p class="empty">${w["empty.paused"]}</p>`;
    if (watch.status.kind !== "live") return html``;
    const script = `${referenceTo(collection)}.insertOne({ watched: new Date() })`;
    return html`<div class="all"><div class="empty"><p class="large">${w["empty.title"]}</p><p>${w["empty.body"]}</p>
      <pre>${script}</pre><p><button class="button" @click=${() => this.services.insert(`${script}\n`)}>${
        w["do.insert"]
      }</button></p></div></div>`;
  }

  private row(event: WatchEvent): TemplateResult {
    const { number, kind, operation, at, key, line, touched, touchedCount } = event;
    const more = touchedCount - touched.length;
    return html`<div role="option" id="e${number}" class=${number === this.current ? "current" : ""}
      aria-selected=${String(number === this.watch.opened)} @click=${() => this.choose(number)}>
      <time datetime=${new Date(at).toISOString()}>${this.words.clock(at)}</time>
      <span class="kind ${kind}">${operation}</span>
      <span class="told">${key === "" ? nothing : html`<b>${key}</b>`}${
        line === "" ? nothing : html`<span>${line}</span>`
      }${touched.map((one) => html`<span>${this.touched(one)}</span>`)}${
        more > 0 ? html`<span>${this.w["more"](this.words.number(more))}</span>` : nothing
      }</span>
    </div>`;
  }

  private touched(one: Touched): TemplateResult | string {
    if (one.how === "set") return one.text;
    if (one.how === "cut") return this.w["cut"](one.text, this.words.number(one.size));
    return html`<span class="unseen">${this.w["detail.removed"]} </span><s>${one.text}</s>`;
  }

  private choose(number: number): void {
    this.current = number;
    this.watch = { ...this.watch, opened: number };
  }

  private onKey(event: KeyboardEvent, events: readonly WatchEvent[]): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const at = events.findIndex(({ number }) => number === this.current);
    const last = events.length - 1;
    if ((event.key === "Enter" || event.key === " ") && this.current !== null && at >= 0) {
      event.preventDefault();
      this.choose(this.current);
      void this.updateComplete.then(() => this.event?.updateComplete).then(() => this.event?.focus());
      return;
    }
    const moves: Readonly<Record<string, number>> = {
      ArrowDown: at + 1,
      ArrowUp: at - 1,
      PageDown: at + PAGE,
      PageUp: at - PAGE,
      Home: 0,
      End: last,
    };
    const to = moves[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const number = events[Math.min(last, Math.max(0, to))]?.number ?? null;
    if (number === null) return;
    this.current = number;
    // An event that is open beside the list follows.
    if (this.watch.opened !== null) this.watch = { ...this.watch, opened: number };
  }
}
