/**
 * The words of the pipeline's cards in English.
 *
 * Invariant: as `messages/en.ts`; the other tables have exactly these keys.
 */
import { first, plural } from "../plural.ts";
export const en = {
  title: "Pipeline",
  "title.on": (collection: string) => `Pipeline on ${collection}`,
  close: "Close the cards",
  none:
    "There is no pipeline at the cursor. " +
    "Put the cursor into an aggregate([…]) of the script and open the cards again.",
  syntax: "The script cannot be read at the moment; the cards follow again when it can.",
  unknownCollection: "Only a run can tell which collection this pipeline reads, so there is no preview.",
  input: "Read for the preview",
  "input.all": "all documents",
  "input.some": (count: string) => `the ${first(count, "document")}`,
  part: (read: string, all: string) =>
    `The preview reads the first${read === "1" ? "" : ` ${read}`} of ${plural(all, "document")}.`,
  source: "What goes in",
  stages: "Stages",
  card: (number: string, name: string) => `Stage ${number}: ${name}`,
  "card.text": (number: string) => `Text of stage ${number}`,
  "card.other": "other",
  "card.enabled": "On",
  "card.up": "Move up",
  "card.down": "Move down",
  "card.move": (number: string) => `Move stage ${number}: drag, or press the arrow keys`,
  "card.duplicate": "Duplicate",
  "card.delete": "Delete",
  "card.below": "Add a stage below",
  "card.pending": "Not in the script yet:",
  "card.noStage": "a stage is one object that begins with the stage's name, such as { $match: { … } }.",
  moved: (to: string, all: string) => `Moved to place ${to} of ${all}.`,
  add: "Add a stage",
  "add.which": "Which stage",
  "add.done": "Add",
  "add.cancel": "Cancel",
  "preview.waiting": "Waiting…",
  "preview.count": (count: string, one: boolean) => (one ? "1 document" : `${count} documents`),
  "preview.more": (count: string) => `more than ${plural(count, "document")}`,
  "preview.none": "No documents come out here.",
  "preview.label": (number: string) => `Sample after stage ${number}`,
  "preview.label.source": "Sample of what goes in",
  "preview.disabled": "Switched off: a comment in the script.",
  "preview.writes": "This stage writes. The preview does not run it; Run does.",
  "preview.behind": "No preview behind a stage that cannot be run here.",
  "preview.late": "This took too long. Read fewer documents for the preview, or press Run.",
  "preview.variable": (what: string) => `${what} is known only when the script runs.`,
  "preview.value": (what: string) => `Only a run can tell this value: ${what}`,
  "preview.failed": "The engine refuses this stage:",
};
