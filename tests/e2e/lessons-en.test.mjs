/** Every lesson of every course in English, from its first line to its last check. */
import { withBrowser } from "./browser.mjs";
import { walkLessons } from "./course.mjs";

const { visit } = withBrowser();
walkLessons(visit, "en");
