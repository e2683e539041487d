/**
 * `<inside-view>`: one drawing of the insides, whose code is fetched when it is wanted.
 *
 * Invariant: where the code cannot be had, that is said, and asked for again when the reader wants.
 */
import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { property, state } from "lit/decorators.js";
import { insightMessagesOf, type InsightMessages } from "../messages/xray/insight-words.ts";
import type { ScriptCursor } from "../protocol/run.ts";
import { wordFailure } from "../state/controller.ts";
import { markTold } from "../state/missed-parts.ts";
import type { Inside } from "../state/xray/insides.ts";
import { shared } from "../look/shared.ts";
import { xrayElement, XrayElement } from "./xray-element.ts";
import { xrayStyles } from "./xray-styles.ts";

/** The run that a drawing is beside. */
export interface InsideOf {
  /** The run's number; null where runs have none, as in a snippet. */
  readonly number: number | null;
  /** `RunOutcome.touched`; null where that is not known. */
  readonly pages: Uint32Array | null;
  /** The cursor of the run's result; null where the result is none. */
  readonly cursor: Pick<ScriptCursor, "command"> | null;
  /** Documents of the cursor that are shown. */
  readonly given: number;
}

const fetches: Readonly<Record<Inside["kind"], () => Promise<unknown>>> = {
  ring: () => import("./capped-ring.ts"),
  dial: () => import("./ttl-dial.ts"),
  pipeline: () => import("./pipeline-flow.ts"),
  tree: () => import("./xray-index.ts"),
  pages: () => import("./xray-pages.ts"),
  lookup: () => import("./map/geo-lookup.ts"),
};

/** A drawing's title, as the heading of its dialog or of its panel in a snippet. */
export function titleOfInside(inside: Inside, i: InsightMessages): string {
  switch (inside.kind) {
    case "ring":
      return i["title.ring"](inside.collection);
    case "dial":
      return i["title.dial"](inside.collection, inside.index);
    case "pipeline":
      return i["insight.pipeline"];
    case "tree":
      return i["title.tree"](inside.index ?? inside.collection);
    case "pages":
      return i["title.pages"];
    case "lookup":
      return i["title.lookup"];
  }
}

/** The label of the button that opens a drawing, beside a result. */
export function callOfInside(inside: Inside, i: InsightMessages): string {
  switch (inside.kind) {
    case "ring":
      return i["insight.ring"];
    case "dial":
      return i["insight.dial"];
    case "pipeline":
      return i["insight.pipeline"];
    case "tree":
      return inside.index === null ? i["insight.records"](inside.collection) : i["insight.tree"](inside.index);
    case "pages":
      return i["insight.pages"];
    case "lookup":
      return i["insight.lookup"];
  }
}

@xrayElement("inside-view")
export class InsideView extends XrayElement {
  @property({ attribute: false }) inside!: Inside;
  /** The run it is beside; null for a drawing that is of none. */
  @property({ attribute: false }) run: InsideOf | null = null;
  @state() private failure = "";

  static override styles = [shared, xrayStyles];

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has("inside")) void this.fetch();
  }

  /** The element upgrades in place when its code comes. */
  private async fetch(): Promise<void> {
    this.failure = "";
    try {
      await fetches[this.inside.kind]();
    } catch (error) {
      markTold(error);
      this.failure = wordFailure(error);
    }
  }

  protected override render(): TemplateResult {
    const { failure } = this;
    const i = insightMessagesOf(this.language);
    return html`${
      failure === ""
        ? nothing
        : html`<p class="failure" role="alert">${i["insight.unfetched"](failure)}</p>
          <p class="buttons"><button class="button"
            @click=${() => void this.fetch()}>${i["insight.again"]}</button></p>`
    }${failure === "" ? this.drawing(this.inside) : nothing}`;
  }

  private drawing(inside: Inside): TemplateResult {
    const { host, run } = this;
    switch (inside.kind) {
      case "ring":
        return html`<capped-ring .host=${host} .database=${inside.database}
          .collection=${inside.collection}></capped-ring>`;
      case "dial":
        return html`<ttl-dial .host=${host} .database=${inside.database} .collection=${inside.collection}
          .index=${inside.index}></ttl-dial>`;
      case "pipeline":
        return html`<pipeline-flow .host=${host} .cursor=${run?.cursor ?? null}></pipeline-flow>`;
      case "tree":
        return html`<xray-index .host=${host} .database=${inside.database} .collection=${inside.collection}
          .index=${inside.index}></xray-index>`;
      case "lookup":
        return html`<geo-lookup .host=${host} .plan=${inside.plan} .cursor=${run?.cursor ?? null}
          .given=${run?.given ?? 0}></geo-lookup>`;
      case "pages":
        return html`<xray-pages .host=${host} .page=${inside.page} .run=${run?.number ?? null}
          .pages=${run?.pages ?? null} .cursor=${run?.cursor ?? null} .given=${run?.given ?? 0}></xray-pages>`;
    }
  }
}
