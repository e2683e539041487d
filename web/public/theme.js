/**
 * Sets the colour scheme before the first paint, so that a dark page never flashes white. A file of its own and not
 * an inline script, because the page's Content-Security-Policy allows no inline scripts. `state/settings.ts` writes what it reads.
 */
(function () {
  try {
    var settings = JSON.parse(localStorage.getItem("quire.settings") || "{}");
    if (settings.theme === "light" || settings.theme === "dark") document.documentElement.dataset.theme = settings.theme;
  } catch (error) {
    // Storage is blocked or holds something else: the system's scheme applies.
  }
})();
