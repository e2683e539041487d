/**
 * `<geo-lookup>`: a look-up in a geospatial index on the map: the shape that was asked for, the cells that were read,
 * and the documents found in them, returned or not.
 *
 * Invariant: the cells and figures are of the run itself; its documents are read again, as many as it showed.
 */
import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { property, state } from "lit/decorators.js";
import type { Document } from "bson";
import { shared } from "../../look/shared.ts";
import type { ScriptCursor } from "../../protocol/run.ts";
import { wordFailure } from "../../state/controller.ts";
import { ask, cursorOf } from "../../state/data/ask.ts";
import { planQuestion } from "../../state/decode.ts";
import type { Plan } from "../../state/plan.ts";
import { xrayElement } from "../xray-element.ts";
import { xrayStyles } from "../xray-styles.ts";
import "./geo-map.ts";
import { MapElement } from "./map-element.ts";

@xrayElement("geo-lookup")
export class GeoLookup extends MapElement {
  @property({ attribute: false }) plan!: Plan;
  /** The cursor of the result; null where it is another value. */
  @property({ attribute: false }) cursor: Pick<ScriptCursor, "command"> | null = null;
  /** How many documents of it are shown. */
  @property({ attribute: false }) given = 0;
  @state() private documents: readonly Document[] | null = null;
  /** More of the result can be fetched than is shown. */
  @state() private more = false;
  @state() private failure = "";

  static override styles = [shared, xrayStyles];

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has("plan")) void this.read();
  }

  /** Reads the documents of the result again. */
  private async read(): Promise<void> {
    const question = this.cursor === null ? null : planQuestion(this.cursor);
    if (question === null) {
      this.documents = [];
      return;
    }
    try {
      const { explain } = question.command as { explain: Document };
      // One more than is shown tells whether there is more.
      const batchSize = this.given + 1;
      // Whole documents: their places and names may not be in the projection.
      const { projection: _, ...command } = explain;
      const asked = "pipeline" in command ? { ...command, cursor: { batchSize } } : { ...command, batchSize };
      const { documents, id } = cursorOf(await ask(this.host.changer, question.database, asked));
      this.documents = documents.slice(0, this.given);
      this.more = documents.length > this.given || id !== 0n;
      if (id !== 0n) await ask(this.host.changer, question.database, killing(asked, id));
    } catch (error) {
      this.failure = wordFailure(error);
    }
  }

  /** More is shown than the plan returned: that of a first batch, whose later ones could not be told by stage. */
  private get isFirstOnly(): boolean {
    const { plan, given } = this;
    return (plan.execution?.returned ?? given) < given;
  }

  protected override render(): TemplateResult {
    const { documents, plan } = this;
    return html`<p class="failure" role="alert">${this.failure}</p>
      ${
        documents === null
          ? nothing
          : html`<geo-map shows .examining=${this.cursor !== null} .more=${this.more} .isFirstOnly=${this.isFirstOnly}
              .host=${this.host} .values=${documents} .command=${plan.command} .plan=${plan}
              lang=${this.language}></geo-map>`
      }`;
  }
}

/** The command that ends the cursor of another command. */
function killing(command: Document, id: bigint): Document {
  return { killCursors: command["find"] ?? command["aggregate"], cursors: [id] };
}
