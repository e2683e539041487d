/** Quire's `createShell`: scripts in this realm over an engine in this thread. */
import { Engine, createShell } from "quiredb/shell";

let engine;
let shell;

export default {
  async open() {
    engine = await Engine.create();
    shell = createShell(engine, { database: "bench" });
  },
  async evaluate(source) {
    const { printed, error } = shell.evaluate(source);
    if (error) throw new Error(error.text);
    return printed.join("\n");
  },
  close: async () => engine.close(),
};
