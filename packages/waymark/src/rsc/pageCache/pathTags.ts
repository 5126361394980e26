import { parseTarget } from '../../routing/canonicalUrl.ts'
import { frameworkError } from '../../shared/errors.ts'

/** What `revalidatePath` means: the pages of a path, or all pages at it and below. */
export type PathScope = 'page' | 'layout'

const pagePrefix = 'waymark:page:'
const belowPrefix = 'waymark:below:'

/** The tags that a cached page has by its place: its own, and one for each path it stands below. */
export function tagsOfPage(pathname: string, pattern: string): string[] {
  const own = [pagePrefix + pathname, ...prefixesOf(pathname).map((path) => belowPrefix + path)]
  if (pattern === pathname) return own
  const shared = [pagePrefix + pattern, ...prefixesOf(pattern).map((path) => belowPrefix + path)]
  return [...new Set([...own, ...shared])]
}

/**
 * The tag by which `revalidatePath` finds pages.
 * @param path a pathname (`/blog/first`), or the pattern of a route (`/blog/[slug]`)
 * @throws `REVALIDATE_PATH`
 */
export function tagOfPath(path: string, scope: PathScope): string {
  const pathname = path.includes('[') ? patternOf(path) : canonicalOf(path)
  return (scope === 'layout' ? belowPrefix : pagePrefix) + pathname
}

/** `/a/b` stands below `/`, `/a` and `/a/b`. */
function prefixesOf(path: string): string[] {
  const prefixes = ['/']
  if (path === '/') return prefixes
  for (let end = path.indexOf('/', 1); end !== -1; end = path.indexOf('/', end + 1)) {
    prefixes.push(path.slice(0, end))
  }
  return [...prefixes, path]
}

function patternOf(path: string): string {
  if (!path.startsWith('/')) throw refused(path, 'it does not begin with a slash')
  return path === '/' ? path : path.replace(/\/$/, '')
}

function canonicalOf(path: string): string {
  // As a link may write it: spaces and letters beyond ASCII need no escapes.
  const target = parseTarget(path.replace(/[^\x21-\x7e]/gu, encodeURIComponent))
  if (target.kind === 'bad') throw refused(path, target.reason)
  const canonical = target.kind === 'redirect' ? parseTarget(target.location) : target
  if (canonical.kind !== 'ok') throw refused(path, 'it is no path of this site')
  return canonical.pathname
}

function refused(path: string, reason: string): Error {
  return frameworkError('REVALIDATE_PATH', { path, reason }, path)
}
