/** The lessons of every course in English: `course.mjs` says which. */
import { withBrowser } from "./browser.mjs";
import { walkLessons } from "./course.mjs";

const { visit } = withBrowser();
walkLessons(visit, "en");
