/**
 * `<quire-lab src="…/lab.json">`: a lab in a page. Its code is fetched when the element is in the page.
 *
 * Invariants: attributes: `src` (the lab), `scale` (of the first run), `page` (the page that links to a lab lead to),
 * `lang` (its own or that around it), `theme`; nothing of the page is changed. Where its code cannot be had, it says so
 * and tries again on demand. The element can be imported on a server.
 */
import type { LabSession } from "../../lessons/lab/session.ts";
import { tellUnreached, type Unreached } from "../unreached.ts";

const Base = (globalThis.HTMLElement ?? class {}) as typeof HTMLElement;

const unreached: Unreached = {
  english: ["The lab could not be loaded.", "Try again"],
  chinese: ["无法加载实验室。", "重试"],
};

export class QuireLab extends Base {
  static readonly observedAttributes = ["src", "scale", "page", "lang", "theme"];
  /**
   * Where links lead that are given no page: the playground's, where there is one beside the script.
   * @internal
   */
  static sharedPage = "";
  #session: LabSession | null = null;
  #file: string | null = null;
  #started = 0;

  /** The address of the `lab.json`. */
  get src(): string {
    return this.getAttribute("src") ?? "";
  }
  set src(address: string) {
    this.setAttribute("src", address);
  }

  /** A lab's single file, as "Save as a file" gives it: shown in the place of `src`. */
  get file(): string | null {
    return this.#file;
  }
  set file(text: string | null) {
    this.#file = text;
    if (this.isConnected) void this.#start(true);
  }

  get #language(): string {
    return this.closest("[lang]")?.getAttribute("lang") || navigator.language;
  }

  get #page(): string {
    const given = this.getAttribute("page") ?? QuireLab.sharedPage;
    return given === "" ? "" : new URL(given, this.baseURI).href;
  }

  /** @internal */
  connectedCallback(): void {
    void this.#start();
  }

  /** @internal */
  disconnectedCallback(): void {
    // A framework may only be moving the element.
    setTimeout(() => {
      if (this.isConnected) return;
      this.#session?.close();
      this.#session = null;
      this.#started += 1;
      this.shadowRoot?.replaceChildren();
    });
  }

  /** @internal */
  attributeChangedCallback(name: string, before: string | null, now: string | null): void {
    if (!this.isConnected || before === now) return;
    if (name === "src" || name === "page") void this.#start(true);
    else if (name === "lang") this.#session?.speak(this.#language);
    else if (name === "scale") this.#session?.choose(Number(now));
  }

  async #start(anew = false): Promise<void> {
    if (this.#session !== null && !anew) return;
    const started = ++this.#started;
    this.#session?.close();
    this.#session = null;
    if (this.src === "" && this.#file === null) return;
    const root = this.shadowRoot ?? this.attachShadow({ mode: "open" });
    const code = await import("./mount-lab.ts").catch(() => null);
    if (started !== this.#started || !this.isConnected) return;
    if (code === null) return tellUnreached(root, this.#language, unreached, () => void this.#start());
    const session = code.mountLab(root, new URL(this.src, this.baseURI).href, this.#page);
    this.#session = session;
    session.choose(Number(this.getAttribute("scale") ?? session.scale));
    await session.start(this.#language, this.#file);
    // The language may be another one since the session was started.
    if (this.#session === session) session.speak(this.#language);
  }
}
