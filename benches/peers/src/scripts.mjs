/**
 * The rows of scripts: documents through the shell's border. The times are read by the script itself, around the calls
 * alone; it prints the time and the answer, which is checked.
 */

/** As large as a garden product. */
const DOCUMENT = `({ _id: i, slug: "wheelbarrow-" + i, sku: "9092-" + i, name: "Extra Large Wheelbarrow",
  description: "Extra Large Wheelbarrow for the demanding gardener, model " + i + "; keeps its shape for years.",
  tags: ["tools", "gardening-" + i % 20, "soil-" + i % 7],
  details: { weight: i % 100 + 0.5, weight_units: "lbs", model_num: 4000000 + i, manufacturer: "Maker " + i % 50, color: "green" },
  pricing: { retail: i % 500 + 0.25, sale: i % 400 + 0.75 }, total_reviews: i % 500, average_review: 4.5,
  category_ids: ["6a5b1476238d3b4dd5000048", "6a5b1476238d3b4dd5000049"] })`;
const timed = (before, calls, answer) =>
  `{ ${before}; const begun = Date.now(); ${calls}; const took = Date.now() - begun; print(took + " " + ${answer}) }`;

/** How many documents are inserted one by one, of `count` in all. */
const few = (count) => Math.ceil(count / 10);
const reviews = (count) => Array.from({ length: count }, (_, i) => i % 500).reduce((sum, one) => sum + one, 0);

/** Each row, with the script for `count` documents and the answer it must print. */
const SCRIPTS = [
  [
    "scriptIn",
    (count) =>
      timed(
        `const all = Array.from({ length: ${count} }, (_, i) => ${DOCUMENT})`,
        "db.products.insertMany(all)",
        "db.products.countDocuments({})",
      ),
    String,
  ],
  [
    "scriptOut",
    () =>
      timed(
        "",
        "const all = db.products.find().toArray(); const sum = all.reduce((sum, one) => sum + one.total_reviews, 0)",
        'all.length + " " + sum',
      ),
    (count) => `${count} ${reviews(count)}`,
  ],
  [
    "scriptLoop",
    (count) =>
      timed(
        "",
        `for (let i = 0; i < ${few(count)}; i++) db.singles.insertOne(${DOCUMENT})`,
        "db.singles.countDocuments({})",
      ),
    (count) => String(few(count)),
  ],
];

/** Runs the scripts; `evaluate(source)` gives the line that one printed. Milliseconds a row. */
export async function measureScripts(evaluate, count) {
  const rows = {};
  const wrong = [];
  for (const [row, script, answer] of SCRIPTS) {
    const printed = await evaluate(script(count));
    const [, milliseconds, given] = /^(\d+) (.*)$/.exec(printed) ?? [];
    if (given === answer(count)) rows[row] = Number(milliseconds);
    else wrong.push(`${row}: ${printed.slice(0, 160)}`);
  }
  return { rows, wrong };
}
