/**
 * The base class of the page's views: shared styles, and the page's services.
 *
 * Invariants: a view draws its properties and passes the reader's wishes on; it holds nothing that must survive it, but
 * knows which of its parts are open or focused.
 */
import { LitElement, type CSSResultGroup } from "lit";
import type { Messages, Words } from "../messages/messages.ts";
import { wordsOf } from "../messages/messages.ts";
import type { Controller } from "../state/controller.ts";
import type { AppState, Desk, Pane } from "../state/model.ts";
import type { Language } from "../state/settings.ts";
import type { Store } from "../state/store.ts";
import { shared } from "../look/shared.ts";

/** The services that all views of the page share: the store, the controller, and actions on other parts of the page. */
export interface Services {
  readonly store: Store;
  readonly controller: Controller;
  /** Writes text into the script where the cursor is, or runs a script which the page made. */
  insert(text: string): void;
  /** Shows a place of a tab's script. */
  goTo(tab: number, line: number, column: number): void;
  /** Brings a part of the page into view and the focus to it. */
  goPane(pane: Pane): void;
  openLesson(id: string): void;
  /** Fetches a language's words and goes over to it. */
  speak(language: Language): Promise<void>;
  /** Carries out an action of a button, a key or the palette; `tab` is the open one unless named. */
  act(action: PageAction, tab?: number): void;
}

/** The actions that more than one part of the page can ask for. */
export type PageAction =
  | "run"
  | "stop"
  | "tab.new"
  | "tab.close"
  | "tab.name"
  | "tab.reopen"
  | "format"
  | "complete"
  | "focus"
  | "aside"
  | "pipeline"
  | "search"
  | "undo"
  | "redo"
  | Exclude<Desk["kind"], "none" | "shared" | "model">;

let services: Services | null = null;

/** Set once, before the first view is made. */
export function provide(given: Services): void {
  services = given;
}

export class PageElement extends LitElement {
  static override styles: CSSResultGroup = shared;

  #unsubscribe: (() => void) | null = null;

  override connectedCallback(): void {
    super.connectedCallback();
    this.#unsubscribe = this.store.subscribe((now, before) => {
      if (this.follows(now, before)) this.requestUpdate();
    });
  }

  /**
   * Whether a view is drawn again for a change of the state. Words are looked up while drawing and are no property, so
   * that a change of language has to be told.
   */
  protected follows(now: AppState, before: AppState): boolean {
    return now.settings.language !== before.settings.language;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#unsubscribe?.();
  }

  protected get services(): Services {
    if (services === null) throw new Error("the page's services are provided before its views");
    return services;
  }

  protected get store(): Store {
    return this.services.store;
  }

  protected get controller(): Controller {
    return this.services.controller;
  }

  protected get words(): Words {
    return wordsOf(this.store.state.settings.language);
  }

  protected get m(): Messages {
    return this.words.m;
  }
}

/** `Ctrl` or the Mac's sign for its command key. */
export const commandKey = /Mac|iPhone|iPad/.test(navigator.platform) ? "⌘" : "Ctrl";
