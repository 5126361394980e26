import { type CacheDriver, createMemoryDriver } from 'waymark/drivers'
import {
  appSecrets,
  type CurrentRequest,
  createKeyRing,
  currentRequest,
  parseSecrets,
} from 'waymark/plugin/server'
import { type Cookies, cookies, headers, type ReadonlyHeaders, refresh } from 'waymark/server'

/** Encrypts and decrypts strings with keys for a single purpose. */
export type KeyRing = ReturnType<typeof createKeyRing>

/** The parts of Waymark and of the process that sessions use. Tests pass their own. */
export type Platform = {
  readonly cookies: () => Promise<Cookies>
  readonly headers: () => Promise<ReadonlyHeaders>
  /** Makes the browser show the page of the running action again. */
  readonly refresh: () => void
  readonly currentRequest: () => CurrentRequest | null
  readonly secrets: () => readonly [string, ...string[]]
  readonly createKeyRing: (secrets: readonly [string, ...string[]]) => KeyRing
  readonly now: () => number
  /** True if browsers reach the app over HTTPS. Cookies are then `Secure`. */
  readonly isProduction: boolean
  readonly warn: (line: string) => void
}

export const platform: Platform = {
  cookies,
  headers,
  refresh,
  currentRequest,
  secrets: sessionSecrets,
  createKeyRing,
  now: Date.now,
  isProduction: process.env.NODE_ENV === 'production',
  warn: (line) => console.warn(line),
}

/**
 * Returns the secrets for cookies, newest first. If `WAYMARK_SECRET` is set, the build's secret isn't one of them, because
 * everybody who has the build, such as a container image, could create sessions of any user.
 */
function sessionSecrets(): readonly [string, ...string[]] {
  const withBuild = appSecrets()
  if (!process.env.WAYMARK_SECRET?.trim()) return withBuild
  const [current = withBuild[0], ...previous] = parseSecrets(process.env)
  return [current, ...previous]
}

/**
 * Creates a function that returns the cache driver that all processes of the app share. Outside of a request, the
 * function returns the driver of the last request. Without a driver, as in unit tests, it returns a driver in memory.
 */
export function createFindDriver({
  currentRequest,
}: Pick<Platform, 'currentRequest'>): () => CacheDriver {
  let driver: CacheDriver | null = null
  let memory: CacheDriver | null = null
  return () => {
    driver = currentRequest()?.cache?.driver() ?? driver
    if (driver) return driver
    memory ??= createMemoryDriver()
    return memory
  }
}
