import { frameworkError } from '../../shared/errors.ts'

/** A request's cookies, including those that the app has set since it arrived. */
export type ReadonlyCookies = Iterable<Cookie> & {
  readonly size: number
  get(name: string): Cookie | undefined
  /**
   * Returns all cookies, or all with one name. A browser may send several cookies with the same
   * name, for different paths.
   */
  getAll(name?: string): Cookie[]
  has(name: string): boolean
  toString(): string
}

/** A cookie to set, together with its attributes. */
export type NewCookie = Cookie & CookieOptions

/** Result of `cookies()`. Cookies can be read everywhere, and changed in actions, route handlers and proxy.ts. */
export type Cookies = ReadonlyCookies & {
  /**
   * Sets a cookie, which `get` returns from now on.
   * @throws `COOKIES_READ_ONLY` while a page renders, `COOKIE_INVALID`
   */
  set(name: string, value: string, options?: CookieOptions): void
  set(cookie: NewCookie): void
  /** Deletes a cookie. @param cookie its name, or an object that also has its path and domain */
  delete(cookie: string | DeletedCookie): void
}

/** A cookie to delete, with the attributes that identify it. */
export type DeletedCookie = { readonly name: string } & Pick<
  CookieOptions,
  'path' | 'domain' | 'partitioned'
>

export type CookieStore = ReturnType<typeof createCookieStore>

/** Creates the store for a request's cookies. @param assertWritable throws if cookies can't be set at the moment */
export function createCookieStore(header: string | null, assertWritable: (name: string) => void) {
  let current = parseCookies(header ?? '')
  // Cookies that were set, keyed by name; `null` for a deleted cookie.
  const written = new Map<string, Cookie | null>()
  const lines = new Map<string, string>()

  function write(name: string, value: string | null, options: CookieOptions): void {
    assertWritable(name)
    const line = formatSetCookie(name, value ?? '', options)
    // Name, domain and path identify a cookie: RFC 6265bis §5.7.
    const identity = [name, options.domain?.toLowerCase() ?? '', options.path ?? '/'].join(';')
    // A `Map` keeps the position of a replaced line. Delete it first, so that the newest line comes
    // last.
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
    set(first: string | NewCookie, cookieValue?: string, others?: CookieOptions) {
      const { name, value, ...options }: NewCookie =
        typeof first === 'string' ? { ...others, name: first, value: cookieValue ?? '' } : first
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
    setCookies: (): string[] => [...lines.values()],
    /** Replaces the request's `cookie` header. Keeps the cookies that the app has set. */
    reread(header: string | null): void {
      current = parseCookies(header ?? '')
      applyWritten()
    },
  }
}

const warnedOf = new Set<string>()

/**
 * In development, warns once about each cookie with a path other than the root. Browsers don't send
 * such a cookie with requests for page data.
 */
export function warnOfCookiePath(
  name: string,
  path: string | undefined,
  warn: (line: string) => void = console.warn,
): void {
  if (path === undefined || path === '/' || warnedOf.has(name)) return
  warnedOf.add(name)
  warn(
    `The cookie ${name} is set for the path ${path}. Navigations fetch page data below ` +
      '/_waymark/data/, and browsers do not send the cookie there, so a page may differ from its ' +
      'document. Remove the path unless only route handlers read the cookie.',
  )
}

/** A cookie, with its decoded value. */
export type Cookie = { readonly name: string; readonly value: string }

/** Attributes of a new cookie. */
export type CookieOptions = {
  /**
   * Host that gets the cookie, together with its subdomains. Default: only the host that sets it.
   */
  readonly domain?: string | undefined
  readonly path?: string | undefined
  /**
   * Time at which the cookie expires: a date, or milliseconds since the epoch. Default: when the
   * browser is closed.
   */
  readonly expires?: Date | number | undefined
  /** Seconds until the cookie expires. Takes precedence over `expires`. */
  readonly maxAge?: number | undefined
  readonly httpOnly?: boolean | undefined
  /** True to send the cookie only over HTTPS, and to localhost. */
  readonly secure?: boolean | undefined
  /** Value of the `SameSite` attribute. `true` means `strict`, and `false` omits the attribute. Default: `lax`. */
  readonly sameSite?: 'strict' | 'lax' | 'none' | boolean | undefined
  /** True to keep a separate cookie for each site that embeds this one. */
  readonly partitioned?: boolean | undefined
  readonly priority?: 'low' | 'medium' | 'high' | undefined
}

// Matches a cookie's name: RFC 9110 §5.6.2, token
const namePattern = /^[!#$%&'*+\-.^_`|~\dA-Za-z]+$/
const domainPattern =
  /^(?=.{1,253}$)[a-z\d]([a-z\d-]{0,61}[a-z\d])?(\.[a-z\d]([a-z\d-]{0,61}[a-z\d])?)*$/i
const pathPattern = /^\/[\x20-\x3a\x3c-\x7e]*$/

/** Parses a `cookie` header. If a name occurs several times, the most specific cookie comes first (RFC 6265 §5.4). */
export function parseCookies(header: string): Cookie[] {
  const cookies: Cookie[] = []
  for (const pair of header.split(';')) {
    const equalsAt = pair.indexOf('=')
    if (equalsAt === -1) continue
    const name = pair.slice(0, equalsAt).trim()
    if (!namePattern.test(name)) continue
    cookies.push({ name, value: decode(unquote(pair.slice(equalsAt + 1).trim())) })
  }
  return cookies
}

export function formatCookies(cookies: readonly Cookie[]): string {
  return cookies.map(({ name, value }) => `${name}=${encodeURIComponent(value)}`).join('; ')
}

/** Formats a `set-cookie` line. @throws `COOKIE_INVALID` if a browser would silently refuse the cookie (RFC 6265bis) */
export function formatSetCookie(name: string, value: string, options: CookieOptions = {}): string {
  const unfit = valueProblem(name, value)
  const reason = unfit ?? problemOf(name, options)
  if (reason) throw frameworkError('COOKIE_INVALID', { name, reason }, unfit ? value : undefined)
  const { domain, path = '/', expires, maxAge, sameSite = 'lax', priority } = options
  const parts = [`${name}=${encodeURIComponent(value)}`, `Path=${path}`]
  if (domain !== undefined) parts.push(`Domain=${withoutDot(domain)}`)
  if (maxAge !== undefined) parts.push(`Max-Age=${maxAge}`)
  if (expires !== undefined) parts.push(`Expires=${new Date(expires).toUTCString()}`)
  if (options.secure) parts.push('Secure')
  if (options.httpOnly) parts.push('HttpOnly')
  if (sameSite !== false)
    parts.push(`SameSite=${capitalised(sameSite === true ? 'strict' : sameSite)}`)
  if (options.partitioned) parts.push('Partitioned')
  if (priority !== undefined) parts.push(`Priority=${capitalised(priority)}`)
  return parts.join('; ')
}

/**
 * Returns the attributes that browsers require for a name prefix such as `__Host-` or `__Secure-`.
 */
export function requiredOptions(name: string): CookieOptions {
  const lower = name.toLowerCase()
  const isHttp = lower.startsWith('__http-') || lower.startsWith('__host-http-')
  const isSecure = isHttp || lower.startsWith('__host-') || lower.startsWith('__secure-')
  return { ...(isSecure && { secure: true }), ...(isHttp && { httpOnly: true }) }
}

function valueProblem(name: string, value: string): string | null {
  if (typeof value !== 'string') return `its value is of type ${typeof value}, not a string`
  if (!value.isWellFormed()) return 'its value is not well-formed Unicode'
  // Browsers ignore cookies that are too long: RFC 6265bis §5.6 (5).
  const length = name.length + encodeURIComponent(value).length
  if (length > 4096) return `name and value have ${length} bytes when encoded, more than 4096`
  return null
}

function problemOf(name: string, options: CookieOptions): string | null {
  if (!namePattern.test(name)) return "a name may only contain letters, digits and !#$%&'*+-.^_`|~"
  const rules = [...attributeRules(options), ...prefixRules(name, options)]
  return rules.find(([holds]) => !holds)?.[1] ?? null
}

type Rule = readonly [holds: boolean, problem: string]

function attributeRules(options: CookieOptions): readonly Rule[] {
  const { path = '/', domain, maxAge = 0, expires = 0, sameSite, priority, partitioned } = options
  const isPath = path.length <= 1024 && pathPattern.test(path)
  const isDomain = domain === undefined || domainPattern.test(withoutDot(domain))
  const isSecure = Boolean(options.secure)
  return [
    [
      isPath,
      `the path ${JSON.stringify(path)} must begin with a slash and be ASCII without a semicolon`,
    ],
    [isDomain, `the domain ${JSON.stringify(domain)} is not a host name`],
    [Number.isSafeInteger(maxAge), `maxAge is ${maxAge}, not a whole number of seconds`],
    [!Number.isNaN(new Date(expires).getTime()), 'expires is not a date'],
    [sameSites.has(sameSite), `sameSite is ${String(sameSite)}, not strict, lax or none`],
    [priorities.has(priority), `priority is ${String(priority)}, not low, medium or high`],
    [sameSite !== 'none' || isSecure, 'sameSite none needs secure: true'],
    [!partitioned || isSecure, 'partitioned needs secure: true'],
  ]
}

const sameSites = new Set<unknown>([undefined, true, false, 'strict', 'lax', 'none'])
const priorities = new Set<unknown>([undefined, 'low', 'medium', 'high'])

function prefixRules(name: string, options: CookieOptions): readonly Rule[] {
  const prefix = /^__(?:host-http|host|secure|http)-/i.exec(name)?.[0]
  if (prefix === undefined) return []
  const { secure, httpOnly } = requiredOptions(name)
  const isHost = prefix.toLowerCase().startsWith('__host-')
  return [
    [!secure || Boolean(options.secure), `the prefix ${prefix} needs secure: true`],
    [!httpOnly || Boolean(options.httpOnly), `the prefix ${prefix} needs httpOnly: true`],
    [!isHost || options.domain === undefined, `the prefix ${prefix} allows no domain`],
    [!isHost || (options.path ?? '/') === '/', `the prefix ${prefix} needs the path /`],
  ]
}

function capitalised(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}

// Removes a leading dot, which browsers ignore. RFC 6265bis §5.6.3
function withoutDot(domain: string): string {
  return domain.startsWith('.') ? domain.slice(1) : domain
}

function unquote(value: string): string {
  return value.length > 1 && value.startsWith('"') && value.endsWith('"')
    ? value.slice(1, -1)
    : value
}

function decode(value: string): string {
  if (!value.includes('%')) return value
  try {
    return decodeURIComponent(value)
  } catch {
    // A different program on this host may have written the cookie without percent-encoding.
    return value
  }
}
