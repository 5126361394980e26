import { FrameworkError } from 'waymark/drivers'

/** Address of Redis or Valkey, and the prefix of the keys that are stored there. */
export type RedisAddress = {
  /** URL of the server, or URLs of some of a cluster's servers. */
  readonly urls: readonly [string, ...string[]]
  /**
   * Prefix of all keys, with which several apps, or several environments of an app, can share a server.
   */
  readonly prefix: string
}

/**
 * Reads the address of Redis from the environment variables `WAYMARK_REDIS_URL` (several URLs for a
 * cluster, separated by commas) and `WAYMARK_REDIS_PREFIX`.
 * @returns `null` if no address is set
 * @throws `REDIS_URL`, `REDIS_PREFIX`
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
  return { urls: [first, ...others], prefix: prefix || 'waymark' }
}

/** Returns an address without user and password, for the log. */
export function loggableAddress({ urls }: RedisAddress): string {
  return urls.map((url) => new URL(url).host).join(', ')
}

function assertRedisUrl(url: string): void {
  if (URL.canParse(url) && /^rediss?:$/.test(new URL(url).protocol)) return
  // Don't show the URL in the error, because it may contain a password.
  const value = url.replace(/\/\/[^@]*@/, '//…@')
  const message = `WAYMARK_REDIS_URL is ${value}, which isn't a Redis address. Use redis://host:6379 or rediss://user:password@host:6380. Separate the addresses of a cluster with commas.`
  throw new FrameworkError('REDIS_URL', message)
}
