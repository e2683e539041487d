/**
 * What all pages of the site have in common: the head but for title, description and script, and what a browser
 * without scripts shows. The pages' own files hold the rest.
 *
 * Invariant: the character set comes first, where the policy is put behind it; styles and theme come before the script.
 */
import type { Plugin } from "vite";

const first = `<meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
    `;

const before = `<meta name="color-scheme" content="light dark" />
    <meta name="theme-color" content="#f4eee1" />
    <link rel="icon" href="./favicon.svg" type="image/svg+xml" />
    <link rel="manifest" href="./manifest.webmanifest" />
    <link rel="stylesheet" href="/src/view/styles/page.css" />
    <script src="/theme.js"></script>
    `;

const body = `  <body>
    <noscript>
      <p class="noscript">
        Quire runs its database in this page, so it needs JavaScript and WebAssembly. 本页需要启用 JavaScript 与 WebAssembly。
      </p>
    </noscript>
  </body>
`;

/** The place of each part: what it stands before. */
const places = [
  ["<title>", first],
  ['<script type="module"', before],
  ["</html>", body],
] as const;

export const pageFrame: Plugin = {
  name: "quire-page-frame",
  transformIndexHtml: {
    // Its addresses are resolved as those of the page's own file are.
    order: "pre",
    handler: (html, { path }) =>
      places.reduce((page, [place, part]) => {
        if (!page.includes(place)) throw new Error(`${path} has no ${place}`);
        return page.replace(place, part + place);
      }, html),
  },
};
