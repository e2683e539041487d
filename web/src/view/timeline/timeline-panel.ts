/** `<timeline-panel>`: the moments that are kept. */
import { html, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import type { AppState } from "../../state/model.ts";
import { PageElement } from "../element.ts";

@customElement("timeline-panel")
export class TimelinePanel extends PageElement {
  @property({ attribute: false }) app!: AppState;

  protected override render(): TemplateResult {
    return html``;
  }
}
