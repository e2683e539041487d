/**
 * The page of the reference, `reference.html#/stage/$match`: COMPAT.md's names with their examples, under the
 * playground's running head.
 *
 * Invariant: the address names the open entry, and is all that changes it.
 */
import { html, type TemplateResult } from "lit";
import { customElement, state } from "lit/decorators.js";
import compat from "../../../../COMPAT.md?raw";
import { en as englishOperators } from "../../messages/operators/en.ts";
import { zhHans as chineseOperators } from "../../messages/operators/zh-hans.ts";
import { en as englishLines } from "../../messages/reference/lines-en.ts";
import { zhHans as chineseLines } from "../../messages/reference/lines-zh-hans.ts";
import { referenceMessagesOf } from "../../messages/reference/words.ts";
import { entriesAt, entriesOf, Sentences } from "../../reference/entries.ts";
import type { Language } from "../../state/settings.ts";
import { keepOffline, LessonPage, type HeadLink } from "../lesson-page.ts";
import { wantedIn, type TaughtLesson } from "./reference-view.ts";

/** The lessons of the tutorial with the names they explain, as the build found them (`scripts/course-files.ts`). */
declare const QUIRE_TAUGHT: readonly TaughtLesson[];

const entries = entriesOf(compat);
const sentences: Readonly<Record<Language, Sentences>> = {
  en: new Sentences(englishOperators, englishLines),
  "zh-Hans": new Sentences(chineseOperators, chineseLines),
};

@customElement("reference-page")
export class ReferencePage extends LessonPage {
  @state() private wanted = wantedIn(location.hash);

  constructor() {
    super();
    addEventListener("hashchange", () => {
      this.wanted = wantedIn(location.hash);
      this.dress();
    });
  }

  protected override titleIn(language: Language): string {
    const w = referenceMessagesOf(language);
    const wanted = wantedIn(location.hash);
    const [entry] = wanted === "" ? [] : entriesAt(entries, wanted);
    return entry === undefined ? w["page.title"] : w["page.entry"](entry.name);
  }

  protected override links(): readonly HeadLink[] {
    const w = referenceMessagesOf(this.settings.language);
    return [
      { href: "./course.html", text: w["page.tutorial"] },
      { href: "./lab.html", text: w["page.lab"] },
      { href: "./index.html", text: w["page.playground"] },
    ];
  }

  protected override main(): TemplateResult {
    return html`<reference-view .entries=${entries} .sentences=${sentences} language=${this.settings.language}
      .lessons=${QUIRE_TAUGHT} .wanted=${this.wanted}></reference-view>`;
  }
}

document.body.append(document.createElement("reference-page"));
keepOffline();
