/**
 * Looks for blobs without giving anybody else a turn. Invariant: a blob that may not be seen is as one that is gone.
 */

/** Whether the blob behind a URL is still there. */
export function isThere(url: string): boolean {
  try {
    const request = new XMLHttpRequest();
    request.open("GET", url, false);
    // Or else Firefox tells its console that nothing is no XML.
    request.overrideMimeType("text/plain");
    request.send();
    return request.status === 200;
  } catch {
    return false;
  }
}
