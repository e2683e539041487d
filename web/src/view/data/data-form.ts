/**
 * The base class of the forms in the data's dialogs: one action at a time is under way, its failure stands in the form,
 * and success closes the dialog with a message, and the button that undoes it.
 *
 * Invariant: a form never closes with a failure unread.
 */
import { html, type TemplateResult } from "lit";
import { property, state } from "lit/decorators.js";
import type { AppState } from "../../state/model.ts";
import { wordFailure } from "../../state/controller.ts";
import { dialogStyles, formStyles } from "../../look/dialog.ts";
import { shared } from "../../look/shared.ts";
import { DataElement } from "./data-element.ts";
import { undoOf } from "./undo-of.ts";

export class DataForm extends DataElement {
  @property({ attribute: false }) app!: AppState;
  @state() protected working = false;
  @state() protected failure = "";

  static override styles = [shared, dialogStyles, formStyles];

  /** The browser's own first focus does not look into shadow roots. */
  protected override firstUpdated(): void {
    this.focusFirst();
  }

  protected focusFirst(): void {
    this.renderRoot.querySelector<HTMLElement>("[data-first]")?.focus();
  }

  /** Runs the form's action, `work`; then shows the message `done` and closes. A failure stays in the form. */
  protected async attempt(work: () => Promise<unknown>, done: string): Promise<void> {
    if (this.working) return;
    this.working = true;
    this.failure = "";
    try {
      const moment = await this.controller.momentOf(work);
      await this.controller.wrote();
      this.controller.notice("good", done, undoOf(this.m, moment));
      this.closeDialog();
    } catch (error) {
      this.failure = wordFailure(error);
    } finally {
      this.working = false;
    }
  }

  protected closeDialog(): void {
    this.store.dispatch({ kind: "data-dialog-changed", dialog: null });
  }

  /** The failure, and the buttons below a form. A button that was disabled while it works would lose the focus. */
  protected ending(does: string): TemplateResult {
    return html`<p class="failure" role="alert">${this.failure}</p>
      <p class="buttons">
        <button type="submit" class="button main"
          aria-disabled=${String(this.working)}>${this.working ? this.d["working"] : does}</button>
        <button type="button" class="button" @click=${() => this.closeDialog()}>${this.d["cancel"]}</button>
      </p>`;
  }
}
