import { type CacheDriver, createMemoryDriver } from 'waymark/drivers'
import {
  type CurrentRequest,
  createKeyRing,
  currentRequest,
  runtimeSecrets,
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
  secrets: runtimeSecrets,
  createKeyRing,
  now: Date.now,
  isProduction: process.env.NODE_ENV === 'production',
  warn: (line) => console.warn(line),
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
