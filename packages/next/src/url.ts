/** Parts of a URL, as in `node:url`. */
export type UrlObject = {
  readonly href?: string | null | undefined
  readonly protocol?: string | null | undefined
  readonly host?: string | null | undefined
  readonly hostname?: string | null | undefined
  readonly port?: string | number | null | undefined
  readonly pathname?: string | null | undefined
  readonly search?: string | null | undefined
  readonly query?: string | null | Readonly<Record<string, QueryValue>> | undefined
  readonly hash?: string | null | undefined
}

type QueryPart = string | number | boolean | null | undefined
type QueryValue = QueryPart | readonly QueryPart[]

/** Target of a link. */
export type Url = string | UrlObject

/** Formats a target as the value of an `href`. */
export function formatUrl(url: Url): string {
  if (typeof url === 'string') return url
  const { hostname, port, pathname, search, query, hash } = url
  const host = url.host ?? (hostname ? `${hostname}${port ? `:${port}` : ''}` : '')
  const origin = host ? `${url.protocol?.replace(/:?$/, ':') ?? ''}//${host}` : ''
  const path = host && pathname && !pathname.startsWith('/') ? `/${pathname}` : (pathname ?? '')
  return [
    origin,
    path.replaceAll(/[?#]/g, encodeURIComponent),
    prefixed('?', search ?? formatQuery(query)).replaceAll('#', '%23'),
    prefixed('#', hash ?? ''),
  ].join('')
}

function prefixed(mark: string, text: string): string {
  return text === '' || text.startsWith(mark) ? text : mark + text
}

function formatQuery(query: UrlObject['query']): string {
  if (typeof query === 'string' || !query) return query ?? ''
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    for (const each of Array.isArray(value) ? value : [value]) {
      params.append(name, each === null || each === undefined ? '' : String(each))
    }
  }
  return params.toString()
}
