import { parseTarget } from '../../routing/canonicalUrl.ts'
import { frameworkError } from '../../shared/errors.ts'

/** `page` means the pages at a path, `layout` all pages at and below it. */
export type PathScope = 'page' | 'layout'

const pagePrefix = 'waymark:page:'
const belowPrefix = 'waymark:below:'

/** Returns the tag for a page, and a tag for each path above the page. */
export function tagsOfPage(pathname: string, pattern: string): string[] {
  const pageTags = [
    pagePrefix + pathname,
    ...prefixesOf(pathname).map((path) => belowPrefix + path),
  ]
  if (pattern === pathname) return pageTags
  const shared = [pagePrefix + pattern, ...prefixesOf(pattern).map((path) => belowPrefix + path)]
  return [...new Set([...pageTags, ...shared])]
}

/** Returns the tag for a path. @throws `REVALIDATE_PATH` */
export function tagOfPath(path: string, scope: PathScope): string {
  const pathname = path.includes('[') ? patternOf(path) : canonicalOf(path)
  return (scope === 'layout' ? belowPrefix : pagePrefix) + pathname
}

/** Lists a path and all paths above it: `/`, `/a` and `/a/b` for `/a/b`. */
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
  // Escape spaces and non-ASCII letters, so that a path can be written as in a link.
  const target = parseTarget(path.replace(/[^\x21-\x7e]/gu, encodeURIComponent))
  if (target.kind === 'bad') throw refused(path, target.reason)
  const canonical = target.kind === 'redirect' ? parseTarget(target.location) : target
  if (canonical.kind !== 'ok') throw refused(path, 'it is not a path on this site')
  return canonical.pathname
}

function refused(path: string, reason: string): Error {
  return frameworkError('REVALIDATE_PATH', { path, reason }, path)
}
