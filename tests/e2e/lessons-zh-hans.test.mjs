/** The lessons of every course in Simplified Chinese: `course.mjs` says which. */
import { withBrowser } from "./browser.mjs";
import { walkLessons } from "./course.mjs";

const { visit } = withBrowser();
walkLessons(visit, "zh-Hans");
