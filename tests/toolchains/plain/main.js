/** Imports the package's files by address, from where the page's own address says. */
import { tryInPage } from "../shared/page.js";

const at = new URL(new URLSearchParams(location.search).get("at"), location.href);
const [quiredb, { Engine }, { createShell }] = await Promise.all(
  ["index", "engine", "shell", "element"].map((name) => import(new URL(`${name}.js`, at).href)),
);
await tryInPage({ ...quiredb, Engine, createShell });
