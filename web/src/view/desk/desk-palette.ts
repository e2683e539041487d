/**
 * `<desk-palette>`: every action by a few letters of its name. A combobox with its list always open: the focus stays in
 * the field, arrows move the choice, Enter does it.
 *
 * Invariant: the panel closes before the action runs, so that an action can open another one or move the focus.
 */
import { css, html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";
import type { AppState } from "../../state/model.ts";
import { loadWords } from "../../messages/messages.ts";
import { searchBy } from "../../state/search.ts";
import { languages } from "../../state/settings.ts";
import { shared } from "../../look/shared.ts";
import { deskActions, type DeskAction } from "./desk-actions.ts";
import { DeskElement } from "./desk-element.ts";

interface Entry {
  readonly action: DeskAction;
  /** Its names in every language, so that either finds it. */
  readonly texts: readonly string[];
}

@customElement("desk-palette")
export class DeskPalette extends DeskElement {
  @property({ attribute: false }) app!: AppState;
  /** Text typed before there was a field. */
  @property({ attribute: false }) typed: () => string = () => "";
  @state() private text = "";
  @state() private chosen = 0;
  @query("input") private input!: HTMLInputElement;
  @query("[aria-selected=true]") private option!: HTMLElement | null;

  static override styles = [
    shared,
    css`
      :host { display: flex; flex-direction: column; min-height: 0; }
      input {
        flex: none; width: 100%; height: 3.25rem; padding: 0 1.25rem; border: 0; border-bottom: 1px solid var(--rule);
        background: none; font-size: 1.15rem; color: var(--ink);
      }
      input:focus-visible { outline-offset: -2px; border-radius: 6px 6px 0 0; }
      input::placeholder { color: var(--ink-3); font-style: italic; opacity: 1; }
      ul { min-height: 0; overflow: auto; padding: 0.35rem; scroll-padding: 0.35rem; }
      li {
        display: flex; align-items: center; gap: 0.75rem; min-height: 2.1rem; padding: 0.15rem 0.75rem 0.15rem 0.9rem;
        border-radius: var(--radius); cursor: pointer;
      }
      li > span { flex: 1; min-width: 0; overflow-wrap: anywhere; line-height: 1.25; }
      li small { font-size: var(--small); font-style: italic; color: var(--ink-2); white-space: nowrap; }
      li small:lang(zh) { font-style: normal; }
      li[aria-selected="true"] { background: var(--rubric-fill); color: var(--on-rubric); }
      li[aria-selected="true"] small { color: inherit; }
      kbd { white-space: nowrap; }
      .none { padding: 1.25rem; color: var(--ink-2); }
      @media (pointer: coarse) { li { min-height: 2.75rem; } kbd { display: none; } }
    `,
  ];

  protected override firstUpdated(): void {
    this.input.focus();
    this.text = this.typed();
    // Either language finds an action.
    void Promise.all(languages.map(loadWords)).then(() => this.requestUpdate());
  }

  protected override updated(changed: PropertyValues): void {
    if (changed.has("chosen")) this.option?.scrollIntoView({ block: "nearest" });
  }

  private get entries(): readonly DeskAction[] {
    const { language } = this.app.settings;
    const worded = languages.map((name) => deskActions(this.services, this.app, name));
    const own = worded[languages.indexOf(language)] ?? [];
    const entries = own.map(
      (action, index): Entry => ({
        action,
        texts: worded.flatMap((list) =>
          list[index] === undefined ? [] : [list[index].label, `${list[index].group} ${list[index].label}`],
        ),
      }),
    );
    return searchBy(this.text, entries, ({ texts }) => texts).map(({ action }) => action);
  }

  protected override render(): TemplateResult {
    const { t, words } = this;
    const entries = this.entries;
    const chosen = Math.min(this.chosen, entries.length - 1);
    return html`<input
        type="text"
        role="combobox"
        aria-expanded="true"
        aria-controls="list"
        aria-autocomplete="list"
        aria-activedescendant=${entries.length === 0 ? nothing : `a${chosen}`}
        aria-label=${t["palette.label"]}
        placeholder=${t["palette.placeholder"]}
        autocomplete="off"
        spellcheck="false"
        .value=${this.text}
        @input=${() => {
          this.text = this.input.value;
          this.chosen = 0;
        }}
        @keydown=${(event: KeyboardEvent) => this.onKey(event, entries, chosen)}
      />
      <p class="unseen"
        role="status">${entries.length === 0 ? t["palette.none"] : t["palette.count"](words.number(entries.length))}</p>
      ${entries.length === 0 ? html`<p class="none" aria-hidden="true">${t["palette.none"]}</p>` : nothing}
      <ul role="listbox" id="list" aria-label=${t["palette.list"]} ?hidden=${entries.length === 0}>
        ${entries.map(
          (entry, index) => html`<li role="option" id="a${index}" aria-selected=${index === chosen ? "true" : "false"}
            @click=${() => this.take(entry)} @pointermove=${() => (this.chosen = index)}>
            <span>${entry.label}</span>${
              entry.keys.length === 0
                ? html`<small>${entry.group}</small>`
                : html`<span class="unseen">${entry.group}</span><kbd>${entry.keys.join(" ")}</kbd>`
            }
          </li>`,
        )}
      </ul>`;
  }

  private onKey(event: KeyboardEvent, entries: readonly DeskAction[], chosen: number): void {
    if (event.isComposing) return;
    const last = entries.length - 1;
    const moves: Readonly<Record<string, number>> = {
      ArrowDown: chosen === last ? 0 : chosen + 1,
      ArrowUp: chosen === 0 ? last : chosen - 1,
      PageDown: Math.min(last, chosen + 8),
      PageUp: Math.max(0, chosen - 8),
    };
    const to = moves[event.key];
    const entry = entries[chosen];
    if (to !== undefined) this.chosen = Math.max(0, to);
    else if (event.key === "Enter" && entry !== undefined) this.take(entry);
    else return;
    event.preventDefault();
  }

  private take(action: DeskAction): void {
    this.close();
    // The dialog gives the focus back as it closes, and the action may move it on only after that.
    setTimeout(() => action.run(), 0);
  }
}
