/**
 * `<create-collection-form>` and `<rename-collection-form>`.
 *
 * Invariants: mistakes that the form can see are told before anything is sent; the engine's refusals are shown in its
 * own words.
 */
import { html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { createCollection, renameCollection } from "../../state/data/administer.ts";
import { DataForm } from "./data-form.ts";

const units = [
  ["B", 1],
  ["KiB", 1024],
  ["MiB", 1024 * 1024],
] as const;

@customElement("create-collection-form")
export class CreateCollectionForm extends DataForm {
  @property() database = "";
  @state() private capped = false;

  protected override render(): TemplateResult {
    const { d, app } = this;
    return html`<form novalidate @submit=${(event: SubmitEvent) => this.submit(event)}>
      <div class="field">
        <label for="database">${d["create.database"]}</label>
        <input id="database" name="database" list="databases" required autocomplete="off" autocapitalize="none"
          spellcheck="false" .value=${this.database} />
        <datalist id="databases">${app.catalog.databases.map(
          ({ summary }) => html`<option value=${summary.name}></option>`,
        )}</datalist>
      </div>
      <div class="field">
        <label for="name">${d["create.name"]}</label>
        <input id="name" name="name" required autocomplete="off" autocapitalize="none" spellcheck="false" data-first />
      </div>
      <fieldset class="stack">
        <legend>${d["create.kind"]}</legend>
        <label class="check"><input type="radio" name="kind" value="plain" checked
          @change=${() => (this.capped = false)} /><span>${d["create.plain"]}<small>${
            d["create.plain.about"]
          }</small></span></label>
        <label class="check"><input type="radio" name="kind" value="capped"
          @change=${() => (this.capped = true)} /><span>${d["create.capped"]}<small>${
            d["create.capped.about"]
          }</small></span></label>
      </fieldset>
      ${
        this.capped
          ? html`<div class="pair">
              <div class="field"><label for="size">${d["create.size"]}</label><input id="size" name="size"
                inputmode="numeric" value="1" /></div>
              <select name="unit"
                aria-label=${d["create.unit"]}>${units.map(
                  ([unit]) => html`<option ?selected=${unit === "MiB"}>${unit}</option>`,
                )}</select>
            </div>
            <div class="field"><label for="max">${d["create.max"]} <small>${d["create.max.hint"]}</small></label><input
              id="max" name="max" inputmode="numeric" /></div>`
          : nothing
      }
      ${this.ending(d["create.do"])}
    </form>`;
  }

  private submit(event: SubmitEvent): void {
    event.preventDefault();
    const { d } = this;
    const given = new FormData(event.target as HTMLFormElement);
    const text = (name: string): string => String(given.get(name) ?? "").trim();
    const name = text("name");
    const database = text("database");
    const sizeBytes = Math.round(Number(text("size")) * (units.find(([unit]) => unit === text("unit"))?.[1] ?? 1));
    const max = text("max");
    if (database === "") return void (this.failure = d["create.needsDatabase"]);
    if (name === "") return void (this.failure = d["create.needsName"]);
    if (this.capped && !(sizeBytes >= 1)) return void (this.failure = d["create.needsSize"]);
    if (this.capped && max !== "" && !(Number.isInteger(Number(max)) && Number(max) > 0))
      return void (this.failure = d["create.needsMax"]);
    const capped = this.capped ? { sizeBytes, maximalDocuments: max === "" ? null : Number(max) } : null;
    void this.attempt(() => createCollection(this.controller, { database, name, capped }), d["create.done"](name));
  }
}

@customElement("rename-collection-form")
export class RenameCollectionForm extends DataForm {
  @property() database = "";
  @property() collection = "";

  protected override render(): TemplateResult {
    const { d } = this;
    return html`<form novalidate @submit=${(event: SubmitEvent) => this.submit(event)}>
      <p>${d["rename.about"]}</p>
      <div class="field">
        <label for="to">${d["rename.to"]}</label>
        <input id="to" name="to" required autocomplete="off" autocapitalize="none" spellcheck="false"
          .value=${this.collection} data-first />
      </div>
      ${this.ending(d["rename.do"])}
    </form>`;
  }

  private submit(event: SubmitEvent): void {
    event.preventDefault();
    const { d, collection } = this;
    const to = String(new FormData(event.target as HTMLFormElement).get("to") ?? "").trim();
    if (to === "") return void (this.failure = d["create.needsName"]);
    void this.attempt(
      () => renameCollection(this.controller, this.database, collection, to),
      d["rename.done"](collection, to),
    );
  }
}
