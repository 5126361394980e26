import type { ConfigRules, Rewrite, Rule } from './nextConfig.ts'
import { NextURL } from './requestUrl.ts'
import {
  ClientTextError,
  compilePage,
  compileRule,
  fillText,
  leavesApp,
  type RuleRequest,
  writeDestination,
} from './rules.ts'

/**
 * Target of a request: a path in the app, including the query, or a complete URL on a different
 * site.
 */
export type Target = { readonly kind: 'inside' | 'outside'; readonly url: string }

/** @returns a function that returns the headers that the rules add to a response */
export function compileHeaders({ headers }: ConfigRules): (request: RuleRequest) => Headers {
  const compiled = headers.map((rule) => ({ ...rule, match: compileInApp(rule) }))
  return (request) => {
    const added = new Headers()
    for (const { match, headers } of compiled) {
      const params = match(request)
      if (params === null) continue
      for (const { key, value } of headers) added.set(key, encodeHeader(fillText(value, params)))
    }
    return added
  }
}

// Params come from the client, so encode characters that would end the header or aren't allowed in
// it.
function encodeHeader(text: string): string {
  return text.replaceAll(/[^\t\x20-\x7e]+/g, encodeURIComponent)
}

/** @returns a function that returns the response for the first redirect that matches */
export function compileRedirects({
  redirects,
}: ConfigRules): (request: RuleRequest) => Response | null {
  const compiled = redirects.map((rule) => ({ rule, match: compileInApp(rule) }))
  return (request) => {
    for (const { rule, match } of compiled) {
      const params = match(request)
      if (params === null) continue
      const status = 'statusCode' in rule ? rule.statusCode : rule.permanent ? 308 : 307
      const written = { url: request.url, keepsParams: false }
      const path = writeDestination(rule.destination, params, written)
      if (!URL.canParse(path, request.url.href))
        throw new ClientTextError(`${path} is not a valid URL`)
      // A rule that removes trailing slashes, for example, may also match a URL without one. Don't
      // redirect to the requested URL.
      if (isSame(path, request.url, rule)) continue
      const location = rule.basePath === false ? besideApp(path, request.url) : path
      return new Response(null, { status, headers: { location } })
    }
    return null
  }
}

/**
 * Makes a path outside `basePath` relative, because absolute paths get the `basePath` prepended.
 */
function besideApp(path: string, url: URL): string {
  // Complete URLs never get the `basePath`, and the app may have none.
  if (!path.startsWith('/') || new NextURL(url.href).basePath === '') return path
  // A URL can't go above the root, so additional `../` segments are harmless.
  const up = new URL(url.href).pathname.replaceAll(/[^/]/g, '').replaceAll('/', '../')
  return up + path.slice(1)
}

/** True if a location is the requested URL itself. Such a redirect would never end. */
function isSame(location: string, { href, origin }: URL, { basePath }: Rule): boolean {
  const to = new NextURL(location, origin)
  const from = new NextURL(href)
  const bare = ({ pathname }: URL) => pathname.replace(/(.)\/$/, '$1')
  const isOfApp = basePath !== false || to.basePath === from.basePath
  return (
    to.origin === from.origin && isOfApp && bare(to) === bare(from) && to.search === from.search
  )
}

/** @returns a function that returns the target of the first rewrite that matches */
export function compileRewrites(
  { rewrites }: ConfigRules,
  patterns: readonly string[],
): (request: RuleRequest) => Target | null {
  const pages = patterns.map(compilePage)
  const compiled = (['beforeFiles', 'afterFiles', 'fallback'] as const).map((phase) => ({
    phase,
    rules: rewrites[phase].map((rule: Rewrite) => ({ rule, match: compileInApp(rule) })),
  }))
  return (request) => {
    const { pathname } = request.url
    for (const { phase, rules } of compiled) {
      const hasPage = pages.some(
        (page) => (phase === 'fallback' || page.isStatic) && page.test(pathname),
      )
      if (phase !== 'beforeFiles' && hasPage) return null
      for (const { rule, match } of rules) {
        const params = match(request)
        const written = { url: request.url, keepsParams: true }
        if (!params) continue
        return ruledTarget(rule.destination, writeDestination(rule.destination, params, written))
      }
    }
    return null
  }
}

// Limits for rewritten URLs. A longer one would cause an error in the app, although it is the
// client's fault.
const maxLength = 8192
const maxPairs = 1000

/**
 * Returns the target of a rewrite. Only the rule's own text decides if the rewrite leaves the app;
 * values from the request can't.
 */
function ruledTarget(destination: string, written: string): Target {
  const isOk = leavesApp(destination)
    ? URL.canParse(written)
    : written.length <= maxLength && written.split('&').length <= maxPairs
  if (!isOk)
    throw new ClientTextError(`${destination} can't be filled with the values of this request`)
  return { kind: leavesApp(destination) ? 'outside' : 'inside', url: written }
}

/**
 * Compiles a rule. With `basePath: false`, its source matches the whole path instead of the part
 * below `basePath`.
 */
function compileInApp(rule: Rule): ReturnType<typeof compileRule> {
  const match = compileRule(rule)
  if (rule.basePath !== false) return match
  return (request) => match({ ...request, pathname: new URL(request.url.href).pathname })
}
