/**
 * Sets the colour scheme before the first paint, so that a dark page never flashes white. A file of its own and not
 * an inline script, because the page's Content-Security-Policy allows no inline scripts. `state/settings.ts` writes what it reads.
 */
(function () {
  try {
    var wished = /[?&]theme=(light|dark|system)(?:&|$)/.exec(location.search);
    var settings = JSON.parse(localStorage.getItem("quire.settings") || "{}");
    var theme = wished ? wished[1] : settings.theme;
    if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
  } catch (error) {
    // Storage is blocked or holds something else: the system's scheme applies.
  }
})();
