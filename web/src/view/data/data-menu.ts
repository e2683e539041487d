/**
 * `<data-menu>`: the menu of a database, a collection or an index.
 *
 * Invariant: a change of the data is confirmed in a dialog first, or can be undone.
 */
import { customElement, property } from "lit/decorators.js";
import { wordFailure } from "../../state/controller.ts";
import { hideIndex } from "../../state/data/administer.ts";
import type { DataDialog } from "../../state/model.ts";
import { referenceTo, type MenuTarget } from "./menu-target.ts";
import { MenuElement, type MenuItem } from "./menu-element.ts";

@customElement("data-menu")
export class DataMenu extends MenuElement {
  @property({ attribute: false }) target!: MenuTarget;

  protected override get label(): string {
    const { target } = this;
    if (target.kind === "list") return this.m["data.create"];
    const name =
      target.kind === "database"
        ? target.database
        : target.kind === "index"
          ? target.index.name
          : target.collection.name;
    return this.d["menu.label"](name);
  }

  private open(dialog: DataDialog): void {
    this.store.dispatch({ kind: "data-dialog-changed", dialog });
  }

  protected override entries(): readonly MenuItem[] {
    const { target } = this;
    switch (target.kind) {
      case "list":
        return [
          {
            label: this.d["menu.createCollection"],
            does: () => this.open({ kind: "create-collection", database: target.database }),
          },
          {
            label: this.d["menu.import"],
            does: () => this.open({ kind: "import", database: target.database, collection: "", files: [] }),
          },
          { label: this.d["menu.samples"], does: () => this.open({ kind: "samples" }) },
          ...(this.store.state.catalog.databases.length === 0
            ? []
            : [
                { label: this.d["menu.dumpAll"], apart: true, does: () => this.open({ kind: "dump", database: null }) },
              ]),
        ];
      case "database":
        return this.ofDatabase(target.database);
      case "collection":
        return this.ofCollection(target);
      case "index":
        return this.ofIndex(target);
    }
  }

  private ofDatabase(database: string): readonly MenuItem[] {
    const { d } = this;
    return [
      { label: d["menu.use"], does: () => this.store.dispatch({ kind: "database-chosen", database }) },
      { label: d["menu.createCollection"], does: () => this.open({ kind: "create-collection", database }) },
      {
        label: d["menu.model"],
        does: () => this.store.dispatch({ kind: "desk-opened", desk: { kind: "model", database } }),
      },
      { label: d["menu.import"], does: () => this.open({ kind: "import", database, collection: "", files: [] }) },
      { label: d["menu.export"], does: () => this.open({ kind: "dump", database }) },
      { label: d["menu.pages"], does: () => this.open({ kind: "pages", page: null, leaf: null }) },
      { label: d["menu.copyName"], does: () => void this.copy(database) },
      {
        label: d["menu.dropDatabase"],
        apart: true,
        dangerous: true,
        does: () => this.open({ kind: "drop-database", database }),
      },
    ];
  }

  private ofCollection({
    database,
    collection: { name: collection, type, capped, indexes },
  }: Extract<MenuTarget, { kind: "collection" }>): readonly MenuItem[] {
    const { d } = this;
    const find = (): void => {
      this.use(database);
      void this.controller.run(`${referenceTo(collection)}.find()`);
    };
    const write = (): void => {
      this.use(database);
      this.services.insert(`${referenceTo(collection)}.`);
    };
    const isView = type === "view";
    return [
      { label: d["menu.find"], does: find },
      { label: d["menu.schema"], does: () => this.showSchema(database, collection) },
      ...(type === "collection" ? [{ label: d["menu.watch"], does: () => this.watch(database, collection) }] : []),
      ...(capped ? [{ label: d["menu.ring"], does: () => this.open({ kind: "ring", database, collection }) }] : []),
      ...indexes
        .filter((index) => index.expireAfterSeconds !== null)
        .map(({ name: index }) => ({
          label: d["menu.dial"],
          does: () => this.open({ kind: "dial", database, collection, index }),
        })),
      ...(isView
        ? []
        : [{ label: d["menu.tree"], does: () => this.open({ kind: "tree", database, collection, index: null }) }]),
      { label: d["menu.script"], does: write },
      { label: d["menu.copyName"], does: () => void this.copy(collection) },
      ...(isView
        ? [{ label: d["menu.export"], apart: true, does: () => this.open({ kind: "export", database, collection }) }]
        : [
            {
              label: d["menu.import"],
              apart: true,
              does: () => this.open({ kind: "import", database, collection, files: [] }),
            },
            { label: d["menu.export"], does: () => this.open({ kind: "export", database, collection }) },
            {
              label: d["menu.createIndex"],
              apart: true,
              does: () => this.open({ kind: "create-index", database, collection }),
            },
            { label: d["menu.rename"], does: () => this.open({ kind: "rename-collection", database, collection }) },
          ]),
      {
        label: isView ? d["menu.dropView"] : d["menu.dropCollection"],
        apart: true,
        dangerous: true,
        does: () => this.open({ kind: "drop-collection", database, collection }),
      },
    ];
  }

  private ofIndex({
    database,
    collection: { name: collection },
    index,
  }: Extract<MenuTarget, { kind: "index" }>): readonly MenuItem[] {
    const { d } = this;
    const hide = async (): Promise<void> => {
      try {
        await hideIndex(this.controller, database, collection, index.name, !index.hidden);
        await this.controller.wrote();
      } catch (error) {
        this.controller.notice("bad", wordFailure(error));
      }
    };
    return [
      { label: d["menu.tree"], does: () => this.open({ kind: "tree", database, collection, index: index.name }) },
      { label: index.hidden ? d["menu.showIndex"] : d["menu.hideIndex"], does: () => void hide() },
      { label: d["menu.copyName"], does: () => void this.copy(index.name) },
      {
        label: d["menu.dropIndex"],
        apart: true,
        dangerous: true,
        does: () => this.open({ kind: "drop-index", database, collection, index: index.name }),
      },
    ];
  }

  private showSchema(database: string, collection: string): void {
    this.store.dispatch({ kind: "schema-shown", schema: { database, collection } });
  }

  private watch(database: string, collection: string): void {
    this.store.dispatch({ kind: "watch-shown", watch: { database, collection, behind: null } });
  }

  private use(database: string): void {
    if (database !== this.store.state.database) this.store.dispatch({ kind: "database-chosen", database });
  }

  private async copy(text: string): Promise<void> {
    try {
      await navigator.clipboard.writeText(text);
      this.controller.notice("good", this.d["menu.copied"]);
    } catch {
      this.controller.notice("bad", this.d["menu.copyFailed"]);
    }
  }
}
