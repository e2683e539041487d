/**
 * `<hint-line>`: the name that a reader may have meant, and a button that writes it into the script.
 *
 * Invariant: the script is changed only where it still is as it ran; the reader can undo that in the editor.
 */
import { html, nothing, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import { errorMessagesOf, type ErrorMessages } from "../../messages/errors/words.ts";
import type { StatementPlace } from "../../shell/rewritten.ts";
import type { CollectionHint } from "../../state/hints.ts";
import { mended, onlyPlace, onlyPlaceIn, placeAt, type Mending } from "../../state/mending.ts";
import type { Leaf } from "../../state/model.ts";
import { PageElement, type Services } from "../element.ts";
import { shared } from "../../look/shared.ts";
import { coded, drawCoded } from "./coded.ts";
import { errorStyles } from "./error-styles.ts";

@customElement("hint-line")
export class HintLine extends PageElement {
  @property({ attribute: false }) leaf!: Leaf;
  /** The collection that may have been meant, which the sentence is on. */
  @property({ attribute: false }) missed: CollectionHint | null = null;
  /** The statement that it is of; null for the error's. */
  @property({ attribute: false }) statement: StatementPlace | null = null;
  /** Another sentence, with its names marked as code. */
  @property() text: string | null = null;
  /** The text that was written, and the text to write in its place. */
  @property({ attribute: false }) instead: { readonly wrong: string; readonly right: string } | null = null;
  /** The change itself, where its place is known. */
  @property({ attribute: false }) mending: Mending | null = null;

  static override styles = [shared, errorStyles];

  protected override render(): TemplateResult {
    const { leaf, missed } = this;
    const e = errorMessagesOf(this.store.state.settings.language);
    const text = this.text ?? (missed === null ? "" : wordMissed(missed, e));
    const instead = this.text === null && missed?.elsewhere === false ? missed : this.instead;
    const place = instead === null ? null : this.place(instead.wrong);
    const change = instead === null || place === null ? this.mending : { ...place, text: instead.right };
    const fix = change !== null && change.from === change.to ? e["fix.add"] : e["fix.replace"];
    return html`<p class="hint"><span>${drawCoded(text)}</span>${
      change === null
        ? nothing
        : html`<button class="quiet" @click=${() => mend(this.services, leaf, change)}>
          <span>${drawCoded(fix(coded(shortened(change.text.trim()))))}</span></button>`
    }</p>`;
  }

  /** Where a name is to be replaced: at the error, in the statement, or where it stands alone in the script. */
  private place(name: string): { readonly from: number; readonly to: number } | null {
    const { leaf, statement } = this;
    const { line = null, column = null } = leaf.error ?? {};
    if (statement !== null) return onlyPlaceIn(leaf.source, statement, name);
    return placeAt(leaf.source, line, column, name) ?? onlyPlace(leaf.source, name);
  }
}

const longestText = 60;

/** A text to write, as far as a button holds it. */
export const shortened = (text: string): string =>
  text.length > longestText ? `${text.slice(0, longestText - 1)}…` : text;

/** The sentence on a collection that is not there. */
function wordMissed({ wrong, right, elsewhere }: CollectionHint, e: ErrorMessages): string {
  return e[elsewhere ? "hint.elsewhere" : "hint.collection"](coded(wrong), coded(right));
}

/** Does a mending in the tab that a run came from, and goes there. */
export function mend(services: Services, leaf: Leaf, mending: Mending): void {
  const { store, controller } = services;
  const { settings, tabs } = store.state;
  const tab = tabs.find(({ id }) => id === leaf.tab);
  const script = tab === undefined ? null : mended(tab.script, leaf.source, leaf.offset, mending);
  if (script === null) {
    controller.notice("plain", errorMessagesOf(settings.language)["fix.gone"]);
    return;
  }
  store.dispatch({ kind: "tab-opened", tab: leaf.tab });
  store.dispatch({ kind: "script-edited", script });
  // On a narrow screen the script is another pane.
  services.goPane("script");
}
