/**
 * `<drop-collection-form>`, `<drop-database-form>` and `<drop-index-form>`: each tells the loss before it drops.
 *
 * Invariant: the data that goes is named from the catalog on screen, with its figures; the dropping button has the name
 * of the database, collection or index in its label.
 */
import { html, nothing, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import { dropCollection, dropDatabase, dropIndex, lossOf } from "../../state/data/administer.ts";
import { preview } from "../../state/values.ts";
import { DataForm } from "./data-form.ts";

@customElement("drop-collection-form")
export class DropCollectionForm extends DataForm {
  @property() database = "";
  @property() collection = "";

  protected override render(): TemplateResult {
    const { d } = this;
    return html`<form
      @submit=${(event: SubmitEvent) => this.submit(event)}>${this.lost()}${this.ending(
        d["drop.do"](this.collection),
      )}</form>`;
  }

  private lost(): TemplateResult {
    const { d, words } = this;
    const loss = lossOf(this.app.catalog.databases, this.database, this.collection);
    if (loss?.isView === true) return html`<p>${d["drop.view"]}</p>`;
    if (loss === null || (loss.documents === 0 && loss.indexes.length === 0 && loss.views.length === 0))
      return html`<p>${d["drop.nothing"]}</p>`;
    return html`<p>${d["drop.lost"]}</p>
      <ul class="lost">
        <li>${d["drop.documents"](words.number(loss.documents), loss.documents === 1, words.size(loss.sizeBytes))}</li>
        ${
          loss.indexes.length === 0
            ? nothing
            : html`<li>${d["drop.indexes"](loss.indexes.join(", "), loss.indexes.length === 1)}</li>`
        }
        ${
          loss.views.length === 0
            ? nothing
            : html`<li>${d["drop.views"](loss.views.join(", "), loss.views.length === 1)}</li>`
        }
      </ul>`;
  }

  private submit(event: SubmitEvent): void {
    event.preventDefault();
    void this.attempt(
      () => dropCollection(this.controller, this.database, this.collection),
      this.d["drop.done"](this.collection),
    );
  }
}

@customElement("drop-database-form")
export class DropDatabaseForm extends DataForm {
  @property() database = "";

  protected override render(): TemplateResult {
    const { d, words, app } = this;
    const collections = app.catalog.databases.find(({ summary }) => summary.name === this.database)?.collections ?? [];
    return html`<form @submit=${(event: SubmitEvent) => this.submit(event)}>
      ${
        collections.length === 0
          ? html`<p>${d["drop.nothing"]}</p>`
          : html`<p>${d["drop.lost"]}</p>
            <ul class="lost">
              ${collections.map(
                ({ name, type, count }) =>
                  html`<li>${
                    type === "view" ? d["drop.lineView"](name) : d["drop.line"](name, words.number(count), count === 1)
                  }</li>`,
              )}
            </ul>`
      }
      ${this.ending(d["drop.do"](this.database))}
    </form>`;
  }

  private submit(event: SubmitEvent): void {
    event.preventDefault();
    void this.attempt(() => dropDatabase(this.controller, this.database), this.d["drop.done"](this.database));
  }
}

@customElement("drop-index-form")
export class DropIndexForm extends DataForm {
  @property() database = "";
  @property() collection = "";
  @property() index = "";

  protected override render(): TemplateResult {
    const { d, app } = this;
    const collection = app.catalog.databases
      .find(({ summary }) => summary.name === this.database)
      ?.collections.find(({ name }) => name === this.collection);
    const key = collection?.indexes.find(({ name }) => name === this.index)?.key;
    return html`<form @submit=${(event: SubmitEvent) => this.submit(event)}>
      <p>${d["drop.index.about"]}</p>
      ${key === undefined ? nothing : html`<p class="lost">${d["drop.index.key"]} <code>${preview(key)}</code></p>`}
      ${this.ending(d["drop.do"](this.index))}
    </form>`;
  }

  private submit(event: SubmitEvent): void {
    event.preventDefault();
    void this.attempt(
      () => dropIndex(this.controller, this.database, this.collection, this.index),
      this.d["drop.done"](this.index),
    );
  }
}
