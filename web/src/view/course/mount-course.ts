/**
 * Puts a course into a shadow root: defines the elements it is drawn by, and gives its session a client and its files.
 *
 * Invariant: an element that another copy of this code defined is used as it is.
 */
import { css } from "lit";
import { openClient } from "../../client/reading.ts";
import { COURSE_PAGES, CourseSession, type CoursePage } from "../../lessons/course/session.ts";
import { fetchFile } from "../../lessons/files.ts";
import { CourseReview } from "./course-review.ts";
import { CourseScript } from "./course-script.ts";
import { CourseView } from "./course-view.ts";

const ELEMENTS = {
  "quire-course-view": CourseView,
  "quire-course-script": CourseScript,
  "quire-course-review": CourseReview,
};

const hostStyles = css`
  :host { display: block; }
  :host([hidden]) { display: none; }
  :host([theme="light" i]) { color-scheme: light; }
  :host([theme="dark" i]) { color-scheme: dark; }
`;

/** The page's storage; null where the browser refuses it. */
function storageOf(): Storage | null {
  try {
    return globalThis.localStorage;
  } catch {
    return null;
  }
}

/** The page of a course that a place of an address names; null where it names a step or nothing. */
export const pageOf = (place: string): CoursePage | null => COURSE_PAGES.find((one) => one === place) ?? null;

/** Draws the course whose `course.json` has this address. */
export function mountCourse(
  root: ShadowRoot,
  address: string,
): { readonly session: CourseSession; readonly view: CourseView } {
  for (const [name, element] of Object.entries(ELEMENTS))
    if (customElements.get(name) === undefined) customElements.define(name, element);
  const session = new CourseSession({
    // `course.json` may have another name, or a query behind it.
    read: (path) => fetchFile(path, path === "course.json" ? address : new URL(path, address)),
    openClient: () => openClient({ deployment: { name: "course", storage: "memory" } }),
    storage: storageOf(),
    heed: (heard) => {
      const told = ({ key, storageArea }: StorageEvent): void => {
        if (storageArea === storageOf()) heard(key);
      };
      addEventListener("storage", told);
      return () => removeEventListener("storage", told);
    },
  });
  const { styleSheet } = hostStyles;
  if (styleSheet !== undefined) root.adoptedStyleSheets = [styleSheet];
  const view = document.createElement("quire-course-view") as CourseView;
  view.session = session;
  root.replaceChildren(view);
  return { session, view };
}
