/**
 * `<watch-event>`: one event of a change stream: the document before and after as a difference, and each whole.
 *
 * Invariants: what is not known is said, and why; a whole document is decoded and drawn when it is opened, long ones
 * their beginning first.
 */
import type { Document } from "bson";
import { css, html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { decode } from "../../codec/decode.ts";
import { members } from "../../codec/members.ts";
import { shared } from "../../look/shared.ts";
import { timelineMessagesOf } from "../../messages/timeline/words.ts";
import { wordFailure } from "../../state/controller.ts";
import type { WatchSubject } from "../../state/model.ts";
import { wordShortLine } from "../../state/values.ts";
import { differenceOf, MOST_FIELDS } from "../../state/watch/difference.ts";
import { documentIn, eventField, memberValue, type WatchEvent as Event_ } from "../../state/watch/event.ts";
import { keepImages } from "../../state/watch/stream.ts";
import { wordStart } from "../../state/wording.ts";
import { drawText } from "../results/long-text.ts";
import { fieldStyles, fieldsView, toldView, type Told } from "../timeline/fields-view.ts";
import { WatchElement } from "./watch-element.ts";
import { kindStyles } from "./watch-styles.ts";

/** Letters of a value in the difference; the whole documents have all of them. */
const VALUE_LETTERS = 600;

type Part = "before" | "after" | "event";

@customElement("watch-event")
export class WatchEventView extends WatchElement {
  @property({ attribute: false }) event!: Event_;
  @property({ attribute: false }) subject!: WatchSubject;
  /** The collection keeps documents before and after changes by now. */
  @property({ type: Boolean }) images = false;
  @property({ type: Boolean }) isReadOnly = false;
  @state() private open: ReadonlySet<Part> = new Set();
  @state() private failure = "";
  @state() private working = false;

  static override styles = [
    shared,
    kindStyles,
    fieldStyles,
    css`
      :host > * + * { margin-top: 0.5rem; }
      /* In place of a padding, above which the line that offers the rest of a long text would stick. */
      :host::after { content: ""; display: block; height: 1rem; }
      h3 { font-size: var(--text); font-weight: 500; line-height: 1.3; overflow-wrap: anywhere; }
      h3:focus { outline: none; }
      h3 code { unicode-bidi: isolate; }
      h3 .kind { margin-right: 0.35rem; font-size: 0.9375rem; }
      h4 { font-size: var(--small); font-weight: 500; }
      .facts, .why { font-size: var(--small); color: var(--ink-2); text-wrap: pretty; }
      .why {
        padding: 0.45rem 0.75rem; background: var(--paper-2); border-left: 3px solid var(--thread);
        border-radius: 0 var(--radius) var(--radius) 0;
      }
      .why > * + * { margin-top: 0.4rem; }
      .failure { color: var(--rubric); overflow-wrap: anywhere; }
      dl { font: 400 var(--code)/1.5 var(--mono); overflow-wrap: anywhere; }
      summary { font-size: var(--small); cursor: pointer; }
      pre {
        margin: 0.25rem 0 0; padding: 0.1rem 0 0 0.75rem; border-left: 2px solid var(--rule-strong);
        font: 400 var(--code)/1.5 var(--mono); white-space: pre-wrap; overflow-wrap: anywhere;
      }
    `,
  ];

  protected override willUpdate(changed: PropertyValues): void {
    const before = changed.get("event") as Event_ | undefined;
    if (!changed.has("event") || before === this.event) return;
    this.failure = "";
    const { kind } = this.event;
    this.open = new Set<Part>(
      kind === "insert" ? ["after"] : kind === "delete" ? ["before"] : kind === "other" ? ["event"] : [],
    );
  }

  /** Puts the focus to the event's heading. */
  override focus(): void {
    this.renderRoot.querySelector<HTMLElement>("h3")?.focus();
  }

  protected override render(): TemplateResult {
    const { w, event } = this;
    const { parts, kind } = event;
    const before = documentIn(parts, "fullDocumentBeforeChange");
    const after = documentIn(parts, "fullDocument");
    const changes = kind === "update" || kind === "replace";
    const name = event.looked ? w["detail.looked"] : w["detail.after"];
    return html`<h3 tabindex="-1"><span class="kind ${kind}">${event.operation}</span> <code>${event.key}</code></h3>
      <p class="facts">${this.facts()}</p>
      ${changes ? this.change(before, after) : nothing}
      ${(changes || kind === "delete") && before === null ? this.whyNoBefore() : nothing}
      ${before === null ? nothing : this.whole("before", w["detail.before"], () => decode(before, typed))}
      ${after === null ? nothing : this.whole("after", name, () => decode(after, typed))}
      ${event.looked && after !== null ? html`<p class="facts">${w["detail.looked.hint"]}</p>` : nothing}
      ${
        kind === "update" && after === null
          ? html`<p class="facts">${w[event.looked ? "detail.gone" : "detail.noAfter"]}</p>`
          : nothing
      }
      ${this.whole("event", w["detail.event"], () => wholeEvent(parts))}`;
  }

  private facts(): string {
    const { w, event, words } = this;
    const { at, parts } = event;
    const date = new Intl.DateTimeFormat(words.language, { dateStyle: "medium", timeStyle: "medium" }).format(at);
    const cluster = eventField(parts, "clusterTime") as { t: number; i: number } | undefined;
    const transaction = eventField(parts, "txnNumber");
    return [
      date,
      ...(cluster === undefined ? [] : [w["detail.cluster"](`${cluster.t}:${cluster.i}`)]),
      ...(transaction === undefined ? [] : [w["detail.transaction"](String(transaction))]),
    ].join(" · ");
  }

  private change(before: Uint8Array | null, after: Uint8Array | null): TemplateResult | typeof nothing {
    const { w } = this;
    const t = timelineMessagesOf(this.store.state.settings.language);
    const word = (value: unknown): string => wordShortLine(value, VALUE_LETTERS);
    if (before === null || after === null) return this.told(word);
    const { fields, more } = differenceOf(before, after);
    return html`<h4>${w["detail.difference"]}</h4>${
      fields.length === 0 ? html`<p class="facts">${w["detail.same"]}</p>` : fieldsView(t, fields, word)
    }${this.more(more)}`;
  }

  private more(count: number): TemplateResult | typeof nothing {
    return count === 0 ? nothing : html`<p class="facts">${this.w["detail.more"](this.words.number(count))}</p>`;
  }

  /** What the event itself tells of an update, where one of the documents is not there. */
  private told(word: (value: unknown) => string): TemplateResult | typeof nothing {
    const { w, words, event } = this;
    const description = documentIn(event.parts, "updateDescription");
    if (description === null) return nothing;
    const told: Told[] = [];
    let more = 0;
    const each = (name: string, tell: (field: string, value: unknown) => Told): void => {
      const inside = documentIn([description], name);
      if (inside === null) return;
      for (const member of members(inside))
        if (told.length < MOST_FIELDS) told.push(tell(member.name, memberValue(inside, member)));
        else more += 1;
    };
    each("updatedFields", (field, value) => ({ field, value: word(value) }));
    each("removedFields", (_, field) => ({ field: String(field), note: w["detail.removed"] }));
    each("truncatedArrays", (_, value) => {
      const { field, newSize } = value as Document;
      return { field: String(field), note: w["detail.size"](words.number(Number(newSize))) };
    });
    return html`<h4>${w["detail.set"]}</h4>${toldView(told)}${this.more(more)}`;
  }

  private whyNoBefore(): TemplateResult {
    const { w } = this;
    if (this.images) return html`<div class="why"><p>${w["before.late"]}</p></div>`;
    return html`<div class="why"><p>${w["before.off"]}</p>
      ${
        this.isReadOnly
          ? html`<p>${w["before.readOnly"]}</p>`
          : html`<button class="button" aria-disabled=${String(this.working)}
            @click=${() => void this.keep()}>${w["before.keep"]}</button> <small>${w["before.hint"]}</small>`
      }
      ${this.failure === "" ? nothing : html`<p class="failure" role="alert">${this.failure}</p>`}</div>`;
  }

  private async keep(): Promise<void> {
    if (this.working) return;
    this.working = true;
    try {
      await keepImages(this.controller, this.subject);
      this.failure = "";
      // The stream may be paused, and tell of it later. The button goes, and the focus with it.
      this.dispatchEvent(new CustomEvent("images-kept"));
      this.focus();
      await this.controller.wrote();
    } catch (error) {
      this.failure = wordFailure(error);
    } finally {
      this.working = false;
    }
  }

  private whole(part: Part, name: string, value: () => Document): TemplateResult {
    const isOpen = this.open.has(part);
    return html`<details .open=${isOpen}
      @toggle=${(toggle: Event) => this.toggle(part, toggle)}><summary>${name}</summary>${
        isOpen
          ? html`<pre tabindex="0" role="group" aria-label=${name}>${drawText(wordStart("shell", value()))}</pre>`
          : nothing
      }</details>`;
  }

  private toggle(part: Part, { currentTarget }: Event): void {
    const isOpen = (currentTarget as HTMLDetailsElement).open;
    if (isOpen === this.open.has(part)) return;
    const open = new Set(this.open);
    if (isOpen) open.add(part);
    else open.delete(part);
    this.open = open;
  }
}

const typed = { numbers: "typed" } as const;

/** The whole event, of all its fragments. */
function wholeEvent(parts: readonly Uint8Array[]): Document {
  const whole: Document = Object.assign({}, ...parts.map((part) => decode(part, typed)));
  delete whole["splitEvent"];
  return whole;
}
