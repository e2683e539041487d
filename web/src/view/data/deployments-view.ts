/**
 * `<deployments-view>`: the deployments of this browser: go to one, make, rename and delete one.
 *
 * Invariants: going to one is a link, so that it opens in another tab too; the one that is open here is not deleted,
 * nor one that another tab has open; deleting asks in its row and says that it cannot be undone.
 */
import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { DEPLOYMENT, mainDeployment } from "../../start/deployment.ts";
import { wordFailure } from "../../state/controller.ts";
import {
  deleteDeployment,
  isNameTaken,
  listDeployments,
  longestDeploymentName,
  makeDeployment,
  renameDeployment,
  StillOpen,
  type NamedDeployment,
} from "../../state/deployments.ts";
import type { AppState } from "../../state/model.ts";
import { carrying } from "../../state/links.ts";
import { browserStorage } from "../../state/persistence.ts";
import { formStyles } from "../../look/dialog.ts";
import { shared } from "../../look/shared.ts";
import { DataElement } from "./data-element.ts";

@customElement("deployments-view")
export class DeploymentsView extends DataElement {
  @property({ attribute: false }) app!: AppState;
  /** The row that is being renamed or asked about. */
  @state() private doing: { readonly id: string; readonly what: "rename" | "delete" } | null = null;
  @state() private failure = "";
  @state() private working = false;
  readonly #kept = browserStorage().local;

  static override styles = [
    shared,
    formStyles,
    css`
      :host > * + * { margin-top: 0.9rem; }
      li { padding: 0.5rem 0; border-top: 1px solid var(--rule); }
      li:last-child { border-bottom: 1px solid var(--rule); }
      .row { display: flex; align-items: center; gap: 0.25rem 0.5rem; flex-wrap: wrap; }
      .name { flex: 1; min-width: 9rem; overflow-wrap: anywhere; }
      a { color: var(--rubric); text-underline-offset: 3px; }
      a:hover { color: var(--ink); }
      em { font-size: var(--small); color: var(--rubric); }
      em:lang(zh) { font-style: normal; }
      .danger { color: var(--rubric); }
      .sure {
        margin-top: 0.5rem; padding: 0.75rem; border: 1px solid var(--rubric); border-radius: var(--radius);
        background: var(--rubric-wash);
      }
      .sure p + p { margin-top: 0.5rem; }
      form.row input { flex: 1; }
      .pair button { min-height: 2.1rem; }
    `,
  ];

  private called({ name, id }: NamedDeployment): string {
    return name || (id === mainDeployment ? this.m["deployment.main"] : id);
  }

  private address(id: string): string {
    const url = new URL(carrying(location.pathname, location.search), location.href);
    if (id !== mainDeployment) url.searchParams.set(DEPLOYMENT, id);
    return url.href;
  }

  protected override render(): TemplateResult {
    const { d } = this;
    return html`<p>${d["deployments.about"]}</p>
      <ul>${listDeployments(this.#kept).map((one) => this.row(one))}</ul>
      <p class="failure" role="alert">${this.failure}</p>
      <form novalidate @submit=${(event: SubmitEvent) => this.make(event)}>
        <div class="field"><label for="new">${d["deployments.new"]}</label>
          <div class="pair"><input id="new" name="name" autocomplete="off" maxlength=${longestDeploymentName} />
          <button type="submit" class="button main">${d["deployments.make"]}</button></div></div>
      </form>`;
  }

  private row(one: NamedDeployment): TemplateResult {
    const { d, app, doing } = this;
    const here = one.id === app.named.id;
    const name = this.called(one);
    const does = doing?.id === one.id ? doing.what : null;
    return html`<li>${
      does === "rename"
        ? this.renaming(one, name)
        : html`<div class="row"><span class="name">${
            here ? html`${name} <em>${d["deployments.here"]}</em>` : html`<a href=${this.address(one.id)}>${name}</a>`
          }</span>
          <button class="quiet" data-rename=${one.id} aria-label="${d["deployments.rename"]}: ${name}"
            @click=${() => this.begin(one.id, "rename")}>${d["deployments.rename"]}</button>
          ${
            one.id === mainDeployment
              ? nothing
              : html`<button class="quiet danger" aria-label="${d["deployments.delete"]}: ${name}"
                  @click=${() => this.begin(one.id, "delete")}>${d["deployments.delete"]}</button>`
          }</div>`
    }${
      does === "delete"
        ? html`<div class="sure" role="alert"><p>${
            here ? d["deployments.delete.here"](name) : d["deployments.delete.sure"](name)
          }</p><p class="buttons">${
            here
              ? nothing
              : html`<button class="button main" aria-disabled=${String(this.working)}
                  @click=${() => void this.delete(one.id, name)}>${d["deployments.delete.yes"]}</button>`
          }<button class="button" @click=${() => (this.doing = null)}>${this.m["cancel"]}</button></p></div>`
        : nothing
    }</li>`;
  }

  private renaming(one: NamedDeployment, name: string): TemplateResult {
    const { d } = this;
    return html`<form class="row" novalidate @submit=${(event: SubmitEvent) => this.rename(event, one.id)}
      @keydown=${(event: KeyboardEvent) => {
        if (event.key !== "Escape") return;
        // The dialog stays.
        event.preventDefault();
        event.stopPropagation();
        void this.end(one.id);
      }}><input name="name" aria-label=${d["deployments.name"](name)} .value=${name} autocomplete="off"
        maxlength=${longestDeploymentName} /><button type="submit" class="button">${d["deployments.rename"]}</button>
      </form>`;
  }

  private begin(id: string, what: "rename" | "delete"): void {
    this.failure = "";
    this.doing = { id, what };
    void this.updateComplete.then(() => this.renderRoot.querySelector<HTMLInputElement>("li input")?.select());
  }

  /** Ends the renaming; the focus goes back to its button. */
  private async end(id: string): Promise<void> {
    this.doing = null;
    await this.updateComplete;
    this.renderRoot.querySelector<HTMLElement>(`[data-rename="${id}"]`)?.focus();
  }

  /** The name of a form, or null where it is none or taken, which is then said. */
  private given(event: SubmitEvent, besides: string | null): string | null {
    event.preventDefault();
    const name = String(new FormData(event.target as HTMLFormElement).get("name") ?? "").trim();
    this.failure =
      name === ""
        ? this.d["deployments.needsName"]
        : isNameTaken(this.#kept, name, besides)
          ? this.d["deployments.taken"](name)
          : "";
    return this.failure === "" ? name : null;
  }

  private make(event: SubmitEvent): void {
    const name = this.given(event, null);
    if (name === null) return;
    try {
      location.assign(this.address(makeDeployment(this.#kept, name)));
    } catch (error) {
      this.failure = `${this.d["deployments.notKept"]} ${wordFailure(error)}`;
    }
  }

  private rename(event: SubmitEvent, id: string): void {
    const name = this.given(event, id);
    if (name === null) return;
    try {
      renameDeployment(this.#kept, id, name);
      if (id === this.app.named.id) this.store.dispatch({ kind: "deployment-named", name });
      void this.end(id);
    } catch (error) {
      this.failure = `${this.d["deployments.notKept"]} ${wordFailure(error)}`;
    }
  }

  private async delete(id: string, name: string): Promise<void> {
    if (this.working) return;
    this.working = true;
    this.failure = "";
    try {
      await deleteDeployment(this.#kept, id, {
        locks: (navigator as Partial<Navigator>).locks ?? null,
        databases: indexedDB,
      });
      this.controller.notice("plain", this.d["deployments.deleted"](name));
      this.doing = null;
      await this.updateComplete;
      this.renderRoot.querySelector<HTMLElement>("#new")?.focus();
    } catch (error) {
      this.failure = error instanceof StillOpen ? this.d["deployments.stillOpen"](name) : wordFailure(error);
    } finally {
      this.working = false;
    }
  }
}
