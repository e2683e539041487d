/**
 * `<quire-course src="…/course.json">`: a course in a page. Its code is fetched when the element is in the page, the
 * engine when the reader first acts in it: presses a button of the mouse or a key, touches it, or comes to it by Tab.
 *
 * Invariants: attributes: `src` (the course), `lesson` (the one to open), `place` (a step of it, as `step-3`, or
 * `glossary` or `end`), `page` (the page that links to lessons lead to), `lang` (its own or that around it), `theme`,
 * `eager` (the engine comes at once); nothing of the page is changed but `lesson`, which follows the reader. Where its
 * code cannot be had, it says so and tries again on demand. The element can be imported on a server.
 */
import type { CourseSession } from "../../lessons/course/session.ts";
import type { CourseView } from "./course-view.ts";
import { tellUnreached, type Unreached } from "../unreached.ts";

const Base = (globalThis.HTMLElement ?? class {}) as typeof HTMLElement;

const unreached: Unreached = {
  english: ["The course could not be loaded.", "Try again"],
  chinese: ["无法加载课程。", "重试"],
};

/** Events by which a reader is known to act. */
const ACTS = ["pointerdown", "keydown", "focusin"];

export class QuireCourse extends Base {
  static readonly observedAttributes = ["src", "lesson", "place", "page", "lang", "theme", "eager"];
  /**
   * Where the pages of labs and of the reference lie that lessons link to; empty where there are none.
   * @internal
   */
  static site = "";
  #view: CourseView | null = null;
  #session: CourseSession | null = null;
  #started = 0;

  /** The address of the `course.json`. */
  get src(): string {
    return this.getAttribute("src") ?? "";
  }
  set src(address: string) {
    this.setAttribute("src", address);
  }

  /** The id of the lesson that is open. */
  get lesson(): string {
    return this.getAttribute("lesson") ?? "";
  }
  set lesson(id: string) {
    this.setAttribute("lesson", id);
  }

  /** Whether the engine comes at once, and not with the reader's first act. */
  get eager(): boolean {
    return this.hasAttribute("eager");
  }
  set eager(is: boolean) {
    this.toggleAttribute("eager", is);
  }

  get #language(): string {
    return this.closest("[lang]")?.getAttribute("lang") || navigator.language;
  }

  /** @internal */
  connectedCallback(): void {
    this.addEventListener("quire-lesson", this.#follow);
    for (const act of ACTS) this.addEventListener(act, this.#wake, { passive: true });
    void this.#start();
  }

  /** @internal */
  disconnectedCallback(): void {
    // A framework may only be moving the element.
    setTimeout(() => {
      if (this.isConnected) return;
      this.#session?.close();
      this.#session = null;
      this.#view = null;
      this.#started += 1;
      this.shadowRoot?.replaceChildren();
    });
  }

  /** @internal */
  attributeChangedCallback(name: string, before: string | null, now: string | null): void {
    if (!this.isConnected || before === now) return;
    if (name === "src") void this.#start(true);
    else if (name === "lang") void this.#session?.speak(this.#language);
    else if (name === "place") this.#view?.turn(now ?? "");
    else if (name === "page") this.#address();
    else if (name === "eager") {
      if (this.eager) this.#wake();
    } else if (name === "lesson" && now !== null && now !== this.#session?.wanted) void this.#session?.open(now);
  }

  readonly #wake = (): void => {
    void this.#session?.wake();
  };

  readonly #follow = (event: Event): void => {
    const { lesson } = (event as CustomEvent<{ readonly lesson: string }>).detail;
    if (event.composedPath()[0] !== this && lesson !== this.lesson) this.#tell(lesson);
  };

  /** Sets the attribute to the lesson that the reader opened; the session has it open already. */
  #tell(lesson: string): void {
    this.setAttribute("lesson", lesson);
  }

  #address(): void {
    if (this.#view === null) return;
    this.#view.page = this.getAttribute("page") ?? "";
    this.#view.site = QuireCourse.site === "" ? "" : new URL(QuireCourse.site, this.baseURI).href;
  }

  async #start(anew = false): Promise<void> {
    if (this.#session !== null && !anew) return;
    const started = ++this.#started;
    this.#session?.close();
    this.#session = null;
    if (this.src === "") return;
    const root = this.shadowRoot ?? this.attachShadow({ mode: "open" });
    const code = await import("./mount-course.ts").catch(() => null);
    if (started !== this.#started || !this.isConnected) return;
    if (code === null) return tellUnreached(root, this.#language, unreached, () => void this.#start());
    const address = new URL(this.src, this.baseURI).href;
    const { session, view } = code.mountCourse(root, address);
    this.#session = session;
    this.#view = view;
    this.#address();
    if (this.eager) this.#wake();
    const place = this.getAttribute("place") ?? "";
    const page = code.pageOf(place);
    if (page !== null) session.page = page;
    await session.start(this.#language, this.lesson === "" ? null : this.lesson, (opened) => {
      const { at } = session;
      const step = /^step-(\d+)$/.exec(place)?.[1] ?? (at?.lesson === opened && place === "" ? at.step : 0);
      if (Number(step) > 0) view.show(opened, Number(step));
    });
    // The language may be another one since the session was started.
    await this.#session?.speak(this.#language);
  }
}
