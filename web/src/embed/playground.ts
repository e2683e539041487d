/**
 * `<quire-playground>`: the whole playground, in a frame of its own inside the page.
 *
 * Invariants: without scripts the reader sees the author's own content of the element; with them, the same script and a
 * button, and nothing is fetched before it is pressed (or the element has `open` and comes into view). The frame keeps
 * its data in its own origin's storage. The script inside is opened like a shared link: shown, and run by nobody but
 * the reader.
 */
import { encodeShared } from "../share/encode.ts";
import { cssLength } from "./attributes.ts";
import { make, QuireElement } from "./base.ts";
import { tell } from "./events.ts";
import { EMBEDDED, isFrameMessage } from "./frame-messages.ts";
import { highlighted } from "./highlight.ts";
import { icon, OPEN_ICON, RUN_ICON } from "./styles.ts";
import { languageAt } from "./words.ts";

export class QuirePlayground extends QuireElement {
  static readonly observedAttributes = ["open", "height", "theme", "lang", "playground", "db", "example", "topology"];

  readonly #frame = make("div", "frame");
  readonly #code = make("div", "code");
  readonly #pre = make("pre", "");
  readonly #invite = make("div", "invite");
  readonly #start = make("button", "run");
  readonly #hint = make("span", "state");
  readonly #link = make("a", "quiet icon");
  #inner: HTMLIFrameElement | null = null;
  #visible: IntersectionObserver | null = null;
  #links = 0;

  constructor() {
    super();
    this.#start.type = "button";
    this.#link.target = "_blank";
    this.#link.rel = "noopener";
    this.#code.append(this.#pre);
    this.#invite.append(this.#start, this.#hint, this.#link);
    this.#frame.append(this.#code, this.#invite);
    this.root.append(this.#frame);
    this.#start.addEventListener("click", () => (this.open = true));
  }

  /** @internal */
  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener("message", this.#receive);
    this.#dress();
  }

  /** @internal */
  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener("message", this.#receive);
    this.#visible?.disconnect();
    this.#visible = null;
    this.#close();
  }

  /** @internal */
  attributeChangedCallback(name: string): void {
    if (!this.isConnected) return;
    super.connectedCallback();
    if (name === "open" && !this.open) this.#close();
    this.#dress();
  }

  /** @internal */
  protected override contentChanged(): void {
    if (this.#inner === null) this.#dress();
  }

  /** Whether the playground itself is shown, in place of the invitation to it. */
  get open(): boolean {
    return this.flag("open");
  }
  set open(on: boolean) {
    this.setFlag("open", on);
  }

  /** The script which the playground opens with. */
  get source(): string {
    return this.written;
  }

  #dress(): void {
    const { words } = this;
    const source = this.written;
    this.#pre.replaceChildren(highlighted(source));
    this.#code.hidden = source === "" || this.#inner !== null;
    this.#invite.hidden = this.#inner !== null;
    this.#start.replaceChildren(icon(RUN_ICON), words.start);
    this.#hint.textContent = words.startHint;
    const label = document.createElement("span");
    label.textContent = words.open;
    this.#link.replaceChildren(icon(OPEN_ICON), label);
    this.#link.title = words.openHint;
    this.#link.setAttribute("aria-label", words.openHint);
    this.#inner?.style.setProperty("height", cssLength(this.height));
    void this.#updateLink();
    if (this.open && this.#inner === null && this.#visible === null) {
      this.#visible = new IntersectionObserver((entries) => {
        if (!entries.some((entry) => entry.isIntersecting)) return;
        this.#visible?.disconnect();
        this.#visible = null;
        void this.#show();
      });
      this.#visible.observe(this);
    }
  }

  async #address(embedded: boolean): Promise<string | null> {
    if (this.playground === null) return null;
    const address = this.presented(this.playground);
    if (embedded) {
      address.searchParams.set(EMBEDDED, "1");
      if (this.theme !== "auto") address.searchParams.set("theme", this.theme);
      address.searchParams.set("lang", languageAt(this));
    }
    const database = this.getAttribute("db");
    if (database !== null && database !== "") address.searchParams.set("db", database);
    const source = this.written;
    const example = this.getAttribute("example");
    if (source === "" && example !== null && example !== "") return `${address.href}#example=${example}`;
    return address.href + (source === "" ? "" : await encodeShared({ scripts: [{ name: "", source }] }));
  }

  async #updateLink(): Promise<void> {
    const link = ++this.#links;
    const address = await this.#address(false);
    if (link !== this.#links) return;
    this.#link.hidden = address === null;
    this.#start.hidden = address === null;
    if (address !== null) this.#link.href = address;
  }

  async #show(): Promise<void> {
    const address = await this.#address(true);
    if (address === null || this.#inner !== null || !this.isConnected || !this.open) return;
    const focused = this.root.activeElement === this.#start;
    const inner = document.createElement("iframe");
    inner.title = this.words.playground;
    inner.allow = "clipboard-write";
    inner.src = address;
    inner.setAttribute("part", "playground");
    this.#inner = inner;
    this.#frame.append(inner);
    this.#dress();
    if (focused) inner.focus();
  }

  #close(): void {
    this.#inner?.remove();
    this.#inner = null;
  }

  readonly #receive = (event: MessageEvent): void => {
    if (this.#inner === null || event.source !== this.#inner.contentWindow || !isFrameMessage(event.data)) return;
    tell(this, event.data.name, event.data.detail);
  };
}
