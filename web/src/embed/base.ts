/**
 * The part that the two elements have in common: attributes as properties, words, a shadow root with the sheet, the
 * script inside.
 *
 * Invariant: nothing of the page is changed or added outside the element's shadow root.
 */
import type { Topology } from "../engine/topology.ts";
import { flag, oneOf, snippetThemes, topologies, type SnippetTheme } from "./attributes.ts";
import { TOPOLOGY } from "../start/deployment.ts";
import type { QuireEventMap, QuireEventName } from "./events.ts";
import { PLAYGROUND } from "./place.ts";
import { sourceIn } from "./source.ts";
import { styles } from "./styles.ts";
import { languageAt, wordsFor, type Words } from "./words.ts";

/** The name says that the page is asked to offer no playground. */
const NO_PLAYGROUND = "none";

/**
 * On a server, where modules of pages are imported too, there are no elements: the class is there, and nobody makes one
 * of it.
 */
const Base = (globalThis.HTMLElement ?? class {}) as typeof HTMLElement;

// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: the interface types its events
export abstract class QuireElement extends Base {
  /** @internal */
  protected readonly root: ShadowRoot = this.attachShadow({ mode: "open", slotAssignment: "manual" });
  /** @internal */
  protected words: Words = wordsFor("");
  readonly #light = new MutationObserver(() => this.contentChanged());

  constructor() {
    super();
    this.root.adoptedStyleSheets = [styles()];
  }

  /** @internal */
  connectedCallback(): void {
    this.words = wordsFor(languageAt(this));
    this.#light.observe(this, { childList: true, subtree: true, characterData: true });
  }

  /** @internal */
  disconnectedCallback(): void {
    this.#light.disconnect();
  }

  /** The page, or a framework, changed the element's content. @internal */
  protected abstract contentChanged(): void;

  /** The script as the page's author wrote it. @internal */
  protected get written(): string {
    return sourceIn(this);
  }

  /** `auto` follows the page's `color-scheme`. */
  get theme(): SnippetTheme {
    return oneOf(this.getAttribute("theme"), snippetThemes);
  }
  set theme(theme: SnippetTheme) {
    this.setAttribute("theme", theme);
  }

  /** What the engine presents itself as: `replicaSet`, its only member, or `standalone`. */
  get topology(): Topology {
    return oneOf(this.getAttribute("topology"), topologies);
  }
  set topology(topology: Topology) {
    this.setAttribute("topology", topology);
  }

  /** A length of CSS, or a number of pixels; empty lets the element grow with its output. */
  get height(): string {
    return this.getAttribute("height") ?? "";
  }
  set height(height: string) {
    this.setAttribute("height", height);
  }

  /**
   * The address of the playground: the attribute, `data-quire-playground` around it, or beside the script; null for
   * `none`, and where a bundler put the script.
   */
  get playground(): string | null {
    const given =
      this.getAttribute("playground") ??
      this.closest("[data-quire-playground]")?.getAttribute("data-quire-playground") ??
      "";
    if (given.trim() === NO_PLAYGROUND) return null;
    return given.trim() === "" ? PLAYGROUND : new URL(given, this.baseURI).href;
  }
  set playground(address: string | null) {
    this.setAttribute("playground", address ?? NO_PLAYGROUND);
  }

  /** An address of the playground, which then presents itself as the element's engine does. @internal */
  protected presented(address: string): URL {
    const url = new URL(address);
    if (this.topology !== "replicaSet") url.searchParams.set(TOPOLOGY, this.topology);
    return url;
  }

  /** @internal */
  protected flag(name: string, absent = false): boolean {
    return flag(this.getAttribute(name), absent);
  }

  /** Frameworks set a property to its attribute's text, so words are taken, too. @internal */
  protected setFlag(name: string, given: boolean, absent = false): void {
    const on = flag(String(given), absent);
    if (on === absent) this.removeAttribute(name);
    else this.setAttribute(name, on ? "" : "false");
  }
}

/** Listeners know the details of the element's own events. */
export interface QuireElement {
  addEventListener<Name extends QuireEventName>(
    type: Name,
    listener: (this: this, event: QuireEventMap[Name]) => unknown,
    options?: boolean | AddEventListenerOptions,
  ): void;
  addEventListener<Name extends Exclude<keyof HTMLElementEventMap, QuireEventName>>(
    type: Name,
    listener: (this: this, event: HTMLElementEventMap[Name]) => unknown,
    options?: boolean | AddEventListenerOptions,
  ): void;
  addEventListener(type: string, listener: unknown, options?: boolean | AddEventListenerOptions): void;
  removeEventListener<Name extends QuireEventName>(
    type: Name,
    listener: (this: this, event: QuireEventMap[Name]) => unknown,
    options?: boolean | EventListenerOptions,
  ): void;
  removeEventListener<Name extends Exclude<keyof HTMLElementEventMap, QuireEventName>>(
    type: Name,
    listener: (this: this, event: HTMLElementEventMap[Name]) => unknown,
    options?: boolean | EventListenerOptions,
  ): void;
  removeEventListener(type: string, listener: unknown, options?: boolean | EventListenerOptions): void;
}

/** Makes an element of the shadow tree. @internal */
export function make<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  className: string,
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  if (className !== "") {
    element.className = className;
    element.setAttribute("part", className.split(" ", 1)[0] ?? "");
  }
  element.append(...children);
  return element;
}
