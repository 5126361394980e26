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

/** Where a request goes on: a path of the app with its query, or a whole URL of another site. */
export type Target = { readonly kind: 'inside' | 'outside'; readonly url: string }

/** @returns the headers that rules add to a response */
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

// Params are what a client sent, and other characters end a header or have no place in it.
function encodeHeader(text: string): string {
  return text.replaceAll(/[^\t\x20-\x7e]+/g, encodeURIComponent)
}

/** @returns the response of the first redirect that is meant */
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
      if (!URL.canParse(path, request.url.href)) throw new ClientTextError(`${path} is no URL`)
      // As a rule that takes the slash off an address, which has none to begin with, or keeps it.
      if (isSame(path, request.url, rule)) continue
      const location = rule.basePath === false ? besideApp(path, request.url) : path
      return new Response(null, { status, headers: { location } })
    }
    return null
  }
}

/** Writes a path that is not below `basePath`: as a relative one, which is not put below it. */
function besideApp(path: string, url: URL): string {
  // Nothing is put below it there, nor where the app has none.
  if (!path.startsWith('/') || new NextURL(url.href).basePath === '') return path
  // Too many lead to the root as well.
  const up = new URL(url.href).pathname.replaceAll(/[^/]/g, '').replaceAll('/', '../')
  return up + path.slice(1)
}

/** Tells whether a location is the address that was asked for: it would redirect for ever. */
function isSame(location: string, { href, origin }: URL, { basePath }: Rule): boolean {
  const to = new NextURL(location, origin)
  const from = new NextURL(href)
  const bare = ({ pathname }: URL) => pathname.replace(/(.)\/$/, '$1')
  const isOfApp = basePath !== false || to.basePath === from.basePath
  return (
    to.origin === from.origin && isOfApp && bare(to) === bare(from) && to.search === from.search
  )
}

/** @returns where the first rewrite leads that is meant */
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

// Those of any request: a longer one would fail in the app instead of being refused.
const maxLength = 8192
const maxPairs = 1000

/** What leaves the app is decided by the rule as it was written, and not by a request. */
function ruledTarget(destination: string, written: string): Target {
  const isOk = leavesApp(destination)
    ? URL.canParse(written)
    : written.length <= maxLength && written.split('&').length <= maxPairs
  if (!isOk) throw new ClientTextError(`${destination} can't be filled`)
  return { kind: leavesApp(destination) ? 'outside' : 'inside', url: written }
}

/** Compiles a rule whose source is below `basePath`, or beside it where it says so. */
function compileInApp(rule: Rule): ReturnType<typeof compileRule> {
  const match = compileRule(rule)
  if (rule.basePath !== false) return match
  return (request) => match({ ...request, pathname: new URL(request.url.href).pathname })
}
