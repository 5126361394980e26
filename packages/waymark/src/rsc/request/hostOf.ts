/**
 * Takes the host from the origin of a request, which was parsed where the request came in: what
 * parses it once more may throw where nothing catches it.
 * @param origin `https://example.com:8443`
 */
export function hostOf(origin: string): string {
  return origin.slice(origin.indexOf('://') + 3)
}
