import { createHostCheck } from 'waymark/adapter'
import { runWithRequest } from 'waymark/plugin/server'
import type { Target } from './configRules.ts'
import { NextURL } from './requestUrl.ts'

/** A rewrite in the app's own proxy, with the URL that was passed to `NextResponse.rewrite()`. */
export type WrittenRewrite = {
  readonly target: string
  /** True if the target is `nextUrl` or a copy of it, and no code has set its origin. */
  readonly isOfRequest: boolean
}

/** The parts of a request that the app's proxy has seen. */
export type SeenRequest = Pick<Request, 'url' | 'method' | 'headers' | 'signal'>

/** Runs the app's proxy for a request. @returns its rewrite; `null` for any other result */
export type FindRewrite = (request: Request) => Promise<WrittenRewrite | null>

const maxRemembered = 1_000

/**
 * Creates a function that decides if a rewrite leaves the app. The URL alone doesn't tell, because
 * the client chooses `Host`. A URL on the request's origin may come from `request.url`, or it may
 * be a different server's fixed address, which the client has sent as `Host`.
 * @param allowedHosts the app's own host names, if it lists them
 */
export function createTargetReader(allowedHosts: readonly string[]) {
  // A different server's name may match a wildcard, so ignore wildcards.
  const isNamed = createHostCheck(allowedHosts.filter((entry) => !entry.startsWith('*')))
  const remembered = new Set<string>()

  return async function readTarget(
    { target, isOfRequest }: WrittenRewrite,
    request: SeenRequest,
    findRewrite: FindRewrite,
  ): Promise<Target> {
    const url = new NextURL(target, request.url)
    const seenUrl = new NextURL(request.url)
    const outside: Target = { kind: 'outside', url: url.href }
    if (url.origin !== seenUrl.origin) return outside
    const isBelow = url.basePath === seenUrl.basePath
    const inside: Target = { kind: 'inside', url: isBelow ? url.pathname + url.search : url.href }
    if (isOfRequest || isNamed(seenUrl.origin)) return inside
    const key = `${seenUrl.origin} ${seenUrl.pathname} ${url.pathname}`
    if (remembered.has(key)) return inside
    if (await staysUnderOtherHost(url.origin, request, findRewrite)) return outside
    remembered.add(key)
    // Clients choose paths and could fill the memory, so drop the oldest key.
    const [oldest = ''] = remembered
    if (remembered.size > maxRemembered) remembered.delete(oldest)
    return inside
  }
}

/**
 * Runs the app's proxy for the same request, but with a random host. A URL that was built from the
 * request then leads to the random host, while a fixed one stays the same.
 * @returns false if the proxy doesn't rewrite the request with the random host
 */
async function staysUnderOtherHost(
  origin: string,
  request: SeenRequest,
  findRewrite: FindRewrite,
): Promise<boolean> {
  const other = underOtherHost(request)
  try {
    const rewrite = await runWithRequest(other, () => findRewrite(other))
    return rewrite !== null && new URL(rewrite.target, other.url).origin === origin
  } catch {
    // The proxy's first run has succeeded, so ignore an error in this one.
    return false
  }
}

/** Copies the request without its body. Replaces the host in the URL and in all headers. */
function underOtherHost(request: SeenRequest): Request {
  const url = new URL(request.url)
  const otherHost = `${crypto.randomUUID()}.invalid`
  // Parsing a URL changes `0x7f.1` to 127.0.0.1, so also replace the host as the client spelled it.
  const sent = ['host', 'x-forwarded-host'].flatMap((name) => {
    return (request.headers.get(name) ?? '').split(/\s*,\s*/)
  })
  const names = [url.host, url.hostname, ...sent, ...sent.map((host) => host.replace(/:\d+$/, ''))]
  const pattern = patternOf(names.filter((name) => name !== ''))
  const headers = new Headers()
  for (const [name, value] of request.headers)
    headers.append(name, value.replaceAll(pattern, otherHost))
  const { method, signal } = request
  const target = url.pathname + url.search
  return new Request(`${url.protocol}//${otherHost}${target}`, { method, signal, headers })
}

/**
 * Returns a single pattern that matches any of the strings, longest first. Replacing the strings
 * one after another could also change parts of earlier replacements.
 */
function patternOf(texts: readonly string[]): RegExp {
  const sorted = texts.toSorted((a, b) => b.length - a.length)
  const escaped = sorted.map((text) => text.replaceAll(/[^\w-]/g, '\\$&'))
  return new RegExp([...new Set(escaped)].join('|'), 'gi')
}
