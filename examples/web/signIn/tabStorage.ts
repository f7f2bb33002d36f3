/** The storage of this tab. Undefined if the browser blocks it: every access throws then. */
export function getTabStorage(): Storage | undefined {
  try {
    return sessionStorage;
  } catch {
    return undefined;
  }
}
