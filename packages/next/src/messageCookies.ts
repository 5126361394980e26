/** A cookie of a request. */
export type RequestCookie = { readonly name: string; readonly value: string }

/** A cookie of a response. */
export type ResponseCookie = RequestCookie & CookieAttributes

/** Attributes of a cookie. */
export type CookieAttributes = {
  readonly domain?: string | undefined
  readonly path?: string | undefined
  readonly expires?: Date | number | undefined
  /** Seconds until the cookie expires. */
  readonly maxAge?: number | undefined
  readonly httpOnly?: boolean | undefined
  readonly secure?: boolean | undefined
  readonly sameSite?: boolean | 'lax' | 'strict' | 'none' | undefined
  readonly partitioned?: boolean | undefined
  readonly priority?: 'low' | 'medium' | 'high' | undefined
}

/** Cookies of a `Request`. Changes are written to the request's `cookie` header. */
export class RequestCookies {
  readonly #headers: Headers
  readonly #cookies: Map<string, string>

  constructor(headers: Headers) {
    this.#headers = headers
    this.#cookies = parseCookies(headers.get('cookie') ?? '')
  }

  get size(): number {
    return this.#cookies.size
  }

  get(name: string | RequestCookie): RequestCookie | undefined {
    const key = typeof name === 'string' ? name : name.name
    const value = this.#cookies.get(key)
    return value === undefined ? undefined : { name: key, value }
  }

  getAll(name?: string): RequestCookie[] {
    return [...this].map(([, cookie]) => cookie).filter((each) => !name || each.name === name)
  }

  has(name: string): boolean {
    return this.#cookies.has(name)
  }

  set(name: string | RequestCookie, value?: string): this {
    const cookie = typeof name === 'string' ? { name, value: value ?? '' } : name
    this.#cookies.set(cookie.name, cookie.value)
    return this.#write()
  }

  /** Deletes cookies. @returns true if the cookie existed; for a list, one value for each name */
  delete(names: string | readonly string[]): boolean | boolean[] {
    const result =
      typeof names === 'string'
        ? this.#cookies.delete(names)
        : names.map((name) => this.#cookies.delete(name))
    this.#write()
    return result
  }

  clear(): this {
    this.#cookies.clear()
    return this.#write()
  }

  toString(): string {
    return [...this.#cookies]
      .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
      .join('; ')
  }

  *[Symbol.iterator](): MapIterator<[string, RequestCookie]> {
    for (const [name, value] of this.#cookies) yield [name, { name, value }]
  }

  #write(): this {
    if (this.#cookies.size === 0) this.#headers.delete('cookie')
    else this.#headers.set('cookie', this.toString())
    return this
  }
}

/** Cookies that a `Response` sets. Changes are written to the response's headers. */
export class ResponseCookies {
  readonly #headers: Headers
  readonly #cookies = new Map<string, ResponseCookie>()

  constructor(headers: Headers) {
    this.#headers = headers
    for (const line of headers.getSetCookie()) {
      const cookie = parseSetCookie(line)
      if (cookie) this.#cookies.set(cookie.name, cookie)
    }
  }

  get(name: string | RequestCookie): ResponseCookie | undefined {
    return this.#cookies.get(typeof name === 'string' ? name : name.name)
  }

  getAll(name?: string): ResponseCookie[] {
    return [...this.#cookies.values()].filter((each) => !name || each.name === name)
  }

  has(name: string): boolean {
    return this.#cookies.has(name)
  }

  set(name: string | ResponseCookie, value?: string, attributes?: CookieAttributes): this {
    const cookieInit = typeof name === 'string' ? { ...attributes, name, value: value ?? '' } : name
    const cookie = { ...cookieInit, path: cookieInit.path ?? '/' }
    this.#cookies.set(cookie.name, cookie)
    this.#headers.delete('set-cookie')
    for (const each of this.#cookies.values()) {
      this.#headers.append('set-cookie', formatSetCookie(each))
    }
    return this
  }

  delete(nameOrCookie: string | Pick<ResponseCookie, 'name' | 'path' | 'domain'>): this {
    const cookie = typeof nameOrCookie === 'string' ? { name: nameOrCookie } : nameOrCookie
    return this.set({ ...cookie, value: '', expires: new Date(0), maxAge: 0 })
  }

  toString(): string {
    return [...this.#cookies.values()].map(formatSetCookie).join('; ')
  }
}

/**
 * Returns a request's `Cookie` header, after a response's cookies have been applied.
 * @param lines values of `Set-Cookie` headers
 */
export function withSetCookies(header: string, lines: readonly string[]): string {
  let pairs = header.split(';').filter((pair) => pair.trim() !== '')
  for (const line of lines) {
    const cookie = parseSetCookie(line)
    if (!cookie) continue
    pairs = pairs.filter((pair) => pair.split('=', 1)[0]?.trim() !== cookie.name)
    // Decoding and encoding a value could change it, so copy it as it is.
    if (!isGone(cookie)) pairs.push(line.split(';', 1)[0] ?? '')
  }
  return pairs.map((pair) => pair.trim()).join('; ')
}

function isGone({ maxAge, expires }: ResponseCookie): boolean {
  if (maxAge !== undefined) return maxAge <= 0
  return expires !== undefined && new Date(expires).getTime() <= Date.now()
}

/**
 * Parses cookies in the same way as the core does for pages. Otherwise, a proxy and a page could
 * read different cookies under the same name.
 */
function parseCookies(header: string): Map<string, string> {
  const cookies = new Map<string, string>()
  for (const pair of header.split(';')) {
    const at = pair.indexOf('=')
    const name = pair.slice(0, at).trim()
    if (at > 0 && name !== '' && !cookies.has(name)) cookies.set(name, decode(pair.slice(at + 1)))
  }
  return cookies
}

function decode(written: string): string {
  const text = written.trim().replace(/^"(.*)"$/, '$1')
  try {
    return decodeURIComponent(text)
  } catch {
    // A value that can't be decoded was written without encoding.
    return text
  }
}

const sameSites = ['lax', 'strict', 'none'] as const

function parseSetCookie(line: string): ResponseCookie | null {
  const [pair = '', ...rest] = line.split(';')
  const [cookie] = parseCookies(pair)
  if (!cookie) return null
  const attributes = new Map(
    rest.map((part) => {
      const [name = '', ...value] = part.trim().split('=')
      return [name.toLowerCase(), value.join('=')]
    }),
  )
  const text = (name: string) => attributes.get(name) || undefined
  const sameSite = sameSites.find((each) => each === text('samesite')?.toLowerCase())
  const expires = text('expires')
  const maxAge = text('max-age')
  return {
    name: cookie[0],
    value: cookie[1],
    ...(attributes.has('path') ? { path: text('path') } : {}),
    ...(text('domain') ? { domain: text('domain') } : {}),
    ...(expires ? { expires: new Date(expires) } : {}),
    ...(maxAge ? { maxAge: Number(maxAge) } : {}),
    ...(attributes.has('httponly') ? { httpOnly: true } : {}),
    ...(attributes.has('secure') ? { secure: true } : {}),
    ...(attributes.has('partitioned') ? { partitioned: true } : {}),
    ...(sameSite ? { sameSite } : {}),
  }
}

function formatSetCookie(cookie: ResponseCookie): string {
  const { name, value, path, domain, expires, maxAge, sameSite, priority } = cookie
  return [
    `${name}=${encodeURIComponent(value)}`,
    path && `Path=${path}`,
    expires !== undefined && `Expires=${new Date(expires).toUTCString()}`,
    maxAge !== undefined && `Max-Age=${maxAge}`,
    domain && `Domain=${domain}`,
    cookie.secure && 'Secure',
    cookie.httpOnly && 'HttpOnly',
    sameSite && `SameSite=${sameSite === true ? 'strict' : sameSite}`,
    cookie.partitioned && 'Partitioned',
    priority && `Priority=${priority}`,
  ]
    .filter(Boolean)
    .join('; ')
}
