import { FrameworkError } from 'waymark/drivers'

/** Address of Redis or Valkey, and the prefix of the keys that are stored there. */
export type RedisAddress = {
  /**
   * URL of the server, or URLs of some of a cluster's servers. A URL with `https:` or `http:` is for
   * Redis over HTTP.
   */
  readonly urls: readonly [string, ...string[]]
  /** Token for Redis over HTTP. */
  readonly token?: string | undefined
  /**
   * Prefix of all keys, with which several apps, or several environments of an app, can share a server.
   */
  readonly prefix: string
}

/**
 * Reads the address of Redis from the environment variables `WAYMARK_REDIS_URL` (several URLs for a
 * cluster, separated by commas), `WAYMARK_REDIS_TOKEN` (for Redis over HTTP) and `WAYMARK_REDIS_PREFIX`.
 * @returns `null` if no address is set
 * @throws `REDIS_URL`, `REDIS_TOKEN`, `REDIS_PREFIX`
 */
export function readRedisAddress(
  env: Readonly<Record<string, string | undefined>>,
): RedisAddress | null {
  const { WAYMARK_REDIS_URL: urlList = '', WAYMARK_REDIS_PREFIX: prefix = '' } = env
  const [first, ...others] = urlList.split(',').flatMap((url) => url.trim() || [])
  if (first === undefined) return null
  for (const url of [first, ...others]) assertRedisUrl(url)
  // Forbid braces in the prefix, because they would replace the hash tags that keep related keys on one
  // cluster server.
  if (/[{}]/.test(prefix)) {
    const message = `WAYMARK_REDIS_PREFIX is ${prefix}, but a prefix can't contain braces, because a Redis cluster uses them to group keys. Remove them.`
    throw new FrameworkError('REDIS_PREFIX', message)
  }
  const address = { urls: [first, ...others] as const, prefix: prefix || 'waymark' }
  if (![first, ...others].some(isHttpUrl)) return address
  if (others.length > 0) {
    const message = `WAYMARK_REDIS_URL has ${others.length + 1} addresses, but Redis over HTTP has only one. Remove the others.`
    throw new FrameworkError('REDIS_URL', message)
  }
  const token = env.WAYMARK_REDIS_TOKEN?.trim()
  if (!token || /[^\x21-\x7e]/.test(token)) {
    const problem = token ? "contains characters that headers can't contain" : 'is empty'
    const message = `WAYMARK_REDIS_URL is an HTTP address, but WAYMARK_REDIS_TOKEN ${problem}. Set it to the token that the server expects.`
    throw new FrameworkError('REDIS_TOKEN', message)
  }
  return { ...address, token }
}

/** True for an address of Redis over HTTP. */
export function isHttpUrl(url: string): boolean {
  return /^https?:/i.test(url)
}

/** Returns an address without user and password, for the log. */
export function loggableAddress({ urls }: RedisAddress): string {
  return urls.map((url) => new URL(url).host).join(', ')
}

function assertRedisUrl(url: string): void {
  if (isRedisUrl(url)) return
  // Don't show all of the URL in the error, because it may contain a password or a token.
  const value = url.replace(/\/\/[^@]*@/, '//…@').replace(/\?.*/, '?…')
  const message = `WAYMARK_REDIS_URL is ${value}, which isn't a Redis address. Use redis://host:6379 or rediss://user:password@host:6380. Separate the addresses of a cluster with commas. For Redis over HTTP, use https://host, and set the token in WAYMARK_REDIS_TOKEN.`
  throw new FrameworkError('REDIS_URL', message)
}

function isRedisUrl(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, username, password, search, hash } = new URL(text)
  if (!isHttpUrl(protocol)) return /^rediss?:$/.test(protocol)
  // Refuse passwords and parameters in an HTTP address, because the server only reads the token.
  return `${username}${password}${search}${hash}` === ''
}
