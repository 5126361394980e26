import { FrameworkError } from 'waymark/drivers'

/** Where Redis or Valkey is, and under which names things are stored there. */
export type RedisAddress = {
  /** One server, or some of a cluster's. */
  readonly urls: readonly [string, ...string[]]
  /** Begin of all keys: several apps, or stages of one, may share a server. */
  readonly prefix: string
}

/**
 * Reads where Redis is from the environment: `WAYMARK_REDIS_URL`, for a cluster several separated
 * by commas, and `WAYMARK_REDIS_PREFIX`.
 * @returns `null` when none is configured
 * @throws `REDIS_URL`, `REDIS_PREFIX`
 */
export function readRedisAddress(
  env: Readonly<Record<string, string | undefined>>,
): RedisAddress | null {
  const { WAYMARK_REDIS_URL: urlList = '', WAYMARK_REDIS_PREFIX: prefix = '' } = env
  const [first, ...others] = urlList.split(',').flatMap((url) => url.trim() || [])
  if (first === undefined) return null
  for (const url of [first, ...others]) assertRedisUrl(url)
  // Braces would take the place of those by which a cluster keeps keys together.
  if (/[{}]/.test(prefix)) {
    const message = `WAYMARK_REDIS_PREFIX is ${prefix}; a prefix can't hold braces, by which a cluster knows keys that belong together. Leave them out.`
    throw new FrameworkError('REDIS_PREFIX', message)
  }
  return { urls: [first, ...others], prefix: prefix || 'waymark' }
}

/** An address as a log may show it: without user and password. */
export function loggableAddress({ urls }: RedisAddress): string {
  return urls.map((url) => new URL(url).host).join(', ')
}

function assertRedisUrl(url: string): void {
  if (URL.canParse(url) && /^rediss?:$/.test(new URL(url).protocol)) return
  // It may hold a password.
  const value = url.replace(/\/\/[^@]*@/, '//…@')
  const message = `WAYMARK_REDIS_URL is ${value}, which is no address of Redis. Write redis://host:6379 or rediss://user:password@host:6380; for a cluster several, separated by commas.`
  throw new FrameworkError('REDIS_URL', message)
}
