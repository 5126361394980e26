import {
  type Cookie,
  type CookieOptions,
  formatCookies,
  formatSetCookie,
  parseCookies,
  requiredOptions,
} from './cookieHeader.ts'

/** The cookies of a request, with those set since. */
export type ReadonlyCookies = Iterable<Cookie> & {
  readonly size: number
  get(name: string): Cookie | undefined
  /** All cookies, or all of a name: a browser may send several, for different paths. */
  getAll(name?: string): Cookie[]
  has(name: string): boolean
  toString(): string
}

export type NewCookie = Cookie & CookieOptions

/** Result of `cookies()`: readable everywhere, writable in actions, route handlers and proxy.ts. */
export type Cookies = ReadonlyCookies & {
  /**
   * Sets a cookie; `get` returns it at once.
   * @throws `COOKIES_READ_ONLY` while a page renders, `COOKIE_INVALID`
   */
  set(name: string, value: string, options?: CookieOptions): void
  set(cookie: NewCookie): void
  /** @param cookie its name, with the path and domain with which it was set */
  delete(cookie: string | DeletedCookie): void
}

export type DeletedCookie = { readonly name: string } & Pick<
  CookieOptions,
  'path' | 'domain' | 'partitioned'
>

export type CookieStore = {
  readonly cookies: Cookies
  setCookies(): string[]
  /** Replaces the request's `cookie` header; written cookies stay. */
  reread(header: string | null): void
}

/** @param assertWritable throws when the cookie can't be set now */
export function createCookieStore(
  header: string | null,
  assertWritable: (name: string) => void,
): CookieStore {
  let current = parseCookies(header ?? '')
  // `null` for a deleted cookie.
  const written = new Map<string, Cookie | null>()
  const lines = new Map<string, string>()

  function write(name: string, value: string | null, options: CookieOptions): void {
    assertWritable(name)
    const line = formatSetCookie(name, value ?? '', options)
    // RFC 6265bis §5.7: name, domain and path identify a cookie.
    const identity = [name, options.domain?.toLowerCase() ?? '', options.path ?? '/'].join(';')
    // Deleted first, so that the newest line comes last.
    lines.delete(identity)
    lines.set(identity, line)
    written.set(name, value === null ? null : { name, value })
    applyWritten()
  }

  function applyWritten(): void {
    const sent = current.filter(({ name }) => !written.has(name))
    current = [...sent, ...[...written.values()].filter((cookie) => cookie !== null)]
    cookies.size = current.length
  }

  const cookies: Cookies & { size: number } = {
    size: current.length,
    get: (name) => current.find((cookie) => cookie.name === name),
    getAll: (name) => current.filter((cookie) => name === undefined || cookie.name === name),
    has: (name) => current.some((cookie) => cookie.name === name),
    toString: () => formatCookies(current),
    [Symbol.iterator]: () => current[Symbol.iterator](),
    set(first: string | NewCookie, given?: string, others?: CookieOptions) {
      const { name, value, ...options }: NewCookie =
        typeof first === 'string' ? { ...others, name: first, value: given ?? '' } : first
      if (import.meta.env?.DEV) warnOfCookiePath(name, options.path)
      write(name, value, options)
    },
    delete(cookie) {
      const { name, ...options } = typeof cookie === 'string' ? { name: cookie } : cookie
      write(name, null, { ...requiredOptions(name), ...options, expires: 0, maxAge: 0 })
    },
  }

  return {
    cookies,
    setCookies: () => [...lines.values()],
    reread(header) {
      current = parseCookies(header ?? '')
      applyWritten()
    },
  }
}

const warnedOf = new Set<string>()

/** Warns once, in development: browsers do not send a cookie of another path with page data. */
export function warnOfCookiePath(
  name: string,
  path: string | undefined,
  warn: (line: string) => void = console.warn,
): void {
  if (path === undefined || path === '/' || warnedOf.has(name)) return
  warnedOf.add(name)
  warn(
    `The cookie ${name} is set for ${path} only. A navigation fetches page data below /_waymark/data/, ` +
      'where browsers do not send it: the page then differs from its document. Leave out the path, ' +
      'unless only route handlers read the cookie.',
  )
}
