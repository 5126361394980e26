const told = new Set<string>()

/**
 * Says, in development and once, that a cookie will be missing from navigations: page data has
 * URLs of its own, which a path other than `/` leaves out.
 */
export function warnOfCookiePath(
  name: string,
  path: string | undefined,
  warn: (line: string) => void = console.warn,
): void {
  if (path === undefined || path === '/' || told.has(name)) return
  told.add(name)
  warn(
    `The cookie ${name} is set for ${path} only. A navigation asks for page data below /_waymark/data/, ` +
      'where browsers do not send it: the page then differs from its document. Leave out the path, ' +
      'unless only route handlers read the cookie.',
  )
}
