import { createHostCheck } from 'waymark/adapter'
import { runWithRequest } from 'waymark/plugin/server'
import type { Target } from './configRules.ts'
import { NextURL } from './requestUrl.ts'

/** A rewrite of the app's own proxy, as `NextResponse.rewrite()` was called. */
export type WrittenRewrite = {
  readonly target: string
  /** True for `nextUrl` of the request or a copy of it, whose origin was not written. */
  readonly isOfRequest: boolean
}

/** The request as the app's proxy has seen it. */
export type SeenRequest = Pick<Request, 'url' | 'method' | 'headers' | 'signal'>

/** Runs the app's proxy for a request. @returns its rewrite; `null` for any other result */
export type FindRewrite = (request: Request) => Promise<WrittenRewrite | null>

const maxRemembered = 1_000

/**
 * Creates a function that decides if a rewrite leaves the app. The way in which the code wrote the URL
 * decides, because the client chooses `Host`: a URL on the request's origin may come from `request.url`,
 * or may be the address of another server that the client has sent as `Host`.
 * @param allowedHosts the hosts that the app names, if it does
 */
export function createTargetReader(allowedHosts: readonly string[]) {
  // The address of another server may be below the names of a wildcard.
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
    // Clients choose the path: the oldest key is forgotten.
    const [oldest = ''] = remembered
    if (remembered.size > maxRemembered) remembered.delete(oldest)
    return inside
  }
}

/**
 * Asks the app's proxy about the same request under another host, which nobody can guess. A URL that was
 * made of the request is on that host then; one that the app has written stays where it was.
 * @returns false when the proxy does something else then
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
    // The first run was without an error, and decides what happens.
    return false
  }
}

/** The request without its body, with another text wherever its URL's origin or a header has the host. */
function underOtherHost(request: SeenRequest): Request {
  const url = new URL(request.url)
  const otherHost = `${crypto.randomUUID()}.invalid`
  // As sent, too: `0x7f.1` is 127.0.0.1 in a URL.
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

/** One pattern, the longest text first: replaced one after the other, short texts would multiply. */
function patternOf(texts: readonly string[]): RegExp {
  const sorted = texts.toSorted((a, b) => b.length - a.length)
  const escaped = sorted.map((text) => text.replaceAll(/[^\w-]/g, '\\$&'))
  return new RegExp([...new Set(escaped)].join('|'), 'gi')
}
