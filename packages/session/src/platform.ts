import { type CacheDriver, createMemoryDriver } from 'waymark/drivers'
import {
  appCache,
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
  /** Returns the app's cache, also outside of a request. */
  readonly appCache: () => CurrentRequest['cache']
  /** Returns the driver of an app without a shared cache, as in development. */
  readonly memory: () => CacheDriver
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
  appCache,
  memory: createMemory(),
  secrets: runtimeSecrets,
  createKeyRing,
  now: Date.now,
  isProduction: process.env.NODE_ENV === 'production',
  warn: (line) => console.warn(line),
}

/** Returns the driver that all processes of the app share, or this process's own one. */
export function createFindDriver({
  appCache,
  memory,
}: Pick<Platform, 'appCache' | 'memory'>): () => CacheDriver {
  return () => appCache()?.driver() ?? memory()
}

/**
 * Creates a function that returns a driver in memory, the same for all sessions. So people stay signed in when the dev
 * server evaluates the app's module with the sessions again.
 */
function createMemory(): () => CacheDriver {
  let driver: CacheDriver | null = null
  return () => {
    driver ??= createMemoryDriver()
    return driver
  }
}
