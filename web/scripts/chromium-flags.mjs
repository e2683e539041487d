/**
 * How tests and benches start Chromium: without what a browser does for its reader beside the page (first-run pages,
 * updates, synchronising), without a sandbox, which containers do not allow, and without QUIC and a graphics card.
 */
export const chromiumFlags = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];
