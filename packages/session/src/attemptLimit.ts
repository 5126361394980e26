import { createHash } from 'node:crypto'
import type { CacheDriver } from 'waymark/drivers'
import { clientNetwork } from 'waymark/plugin/server'
import { createFindDriver, type Platform, platform } from './platform.ts'

/** Options of `createAttemptLimit()`. */
export type AttemptLimitOptions = {
  /** Name of the limit. Limits with different names count separately. */
  readonly name: string
  /** Maximum number of attempts for one key, such as an account, at most 100. */
  readonly perKey: number
  /**
   * Maximum number of attempts from one network address, for all keys together, at most 1,000. Default: ten times `perKey`.
   */
  readonly perAddress?: number
  /** Seconds for which an attempt counts. */
  readonly seconds: number
}

/** Result of an attempt. */
export type Attempt =
  | { readonly isAllowed: true }
  | { readonly isAllowed: false; readonly retryAfterSeconds: number }

/**
 * Limits attempts, such as sign-ins, for each key and for each network address. All processes that share a cache count
 * together. If the shared cache can't be reached, each process counts alone.
 *
 * The address comes from the connection, or from a proxy that the app trusts, never from a header that a client can
 * choose. If the address is private or unknown, only the key is counted, because all clients would share one address.
 * @returns a function that counts an attempt. Call it before you check the password
 * @throws if an option is invalid
 */
export function createAttemptLimit(
  options: AttemptLimitOptions,
): (key: string) => Promise<Attempt> {
  return createAttemptLimitOn(platform, options)
}

/** `createAttemptLimit` on a platform that tests can replace. */
export function createAttemptLimitOn(
  platform: Pick<Platform, 'currentRequest' | 'appCache' | 'memory' | 'now'>,
  options: AttemptLimitOptions,
): (key: string) => Promise<Attempt> {
  const { name, perKey, seconds } = options
  const perAddress = options.perAddress ?? Math.min(perKey * 10, maxPerAddress)
  assertCount('perKey', perKey, maxPerKey)
  assertCount('perAddress', perAddress, maxPerAddress)
  assertCount('seconds', seconds, maxSeconds)
  const findDriver = createFindDriver(platform)
  const limits = { ttlMs: seconds * 1_000, now: platform.now, findDriver }
  const takeKey = createCounter({ ...limits, name: `${name}:key`, max: perKey })
  const takeAddress = createCounter({ ...limits, name: `${name}:address`, max: perAddress })

  return async (key) => {
    const request = platform.currentRequest()?.request
    const address = request ? clientNetwork(request) : null
    // Count the address first, so that a blocked address can't block accounts.
    const byAddress = address === null ? allowed : await takeAddress(address)
    return byAddress.isAllowed ? takeKey(key) : byAddress
  }
}

const maxPerKey = 100
const maxPerAddress = 1_000
const maxSeconds = 24 * 60 * 60
/** Maximum number of keys that a process counts in memory. The shared cache counts all keys. */
const maxLocalKeys = 10_000
const allowed: Attempt = { isAllowed: true }

type CounterOptions = {
  readonly name: string
  readonly max: number
  readonly ttlMs: number
  readonly now: () => number
  readonly findDriver: () => CacheDriver
}

/**
 * Counts attempts per key. Each attempt takes one of `max` leases, which can't be taken again until it has expired. The
 * driver gives a lease to one caller only, so parallel attempts in several processes never exceed the limit.
 */
function createCounter({ name, max, ttlMs, now, findDriver }: CounterOptions) {
  const local = createLocalCounts({ max, now })

  return async (key: string): Promise<Attempt> => {
    const digest = createHash('sha256').update(key).digest('base64url')
    const endsAtMs = now() + ttlMs
    const localLease = local.take(digest, endsAtMs)
    if (localLease.kind === 'blocked') return refused(localLease.untilMs)
    const ends: number[] = []
    for (let tries = 0; tries < max; tries++) {
      const slot = (localLease.slot + tries) % max
      const lease = await findDriver().lease(`waymark-attempt:${name}:${digest}:${slot}`, ttlMs)
      if (lease.kind === 'ours') {
        local.begin(digest, slot + 1)
        await lease.complete(Buffer.from(String(endsAtMs)))
        return allowed
      }
      const result = lease.kind === 'done' ? lease.result : null
      ends.push(result === null ? endsAtMs : Number(Buffer.from(result).toString()))
    }
    // All attempts are used up, so remember this without a further call until one of them ends.
    local.replace(digest, ends)
    return refused(Math.min(...ends))
  }

  function refused(untilMs: number): Attempt {
    return {
      isAllowed: false,
      retryAfterSeconds: Math.max(1, Math.ceil((untilMs - now()) / 1_000)),
    }
  }
}

type LocalCount = {
  /** Times at which attempts stop counting. */
  readonly ends: readonly number[]
  /** The slot with which the next attempt begins. The slots before it are probably taken. */
  readonly nextSlot: number
}

type LocalAttempt =
  | { readonly kind: 'counted'; readonly slot: number }
  | { readonly kind: 'blocked'; readonly untilMs: number }

/** Counts this process's own attempts, so that a key that is blocked here causes no request to the store. */
function createLocalCounts({ max, now }: Pick<CounterOptions, 'max' | 'now'>) {
  // The most recently used key is last.
  const counts = new Map<string, LocalCount>()

  function read(key: string): LocalCount {
    const { ends, nextSlot } = counts.get(key) ?? { ends: [], nextSlot: 0 }
    return { ends: ends.filter((each) => each > now()), nextSlot }
  }

  function write(key: string, changed: LocalCount): void {
    counts.delete(key)
    counts.set(key, changed)
    if (counts.size <= maxLocalKeys) return
    const [oldest] = counts.keys()
    if (oldest !== undefined) counts.delete(oldest)
  }

  return {
    /** @returns the slot to ask for first, or the time from which another attempt is allowed */
    take(key: string, endsAtMs: number): LocalAttempt {
      const { ends, nextSlot } = read(key)
      if (ends.length >= max) {
        write(key, { ends, nextSlot })
        return { kind: 'blocked', untilMs: Math.min(...ends) }
      }
      write(key, { ends: [...ends, endsAtMs], nextSlot: nextSlot + 1 })
      return { kind: 'counted', slot: nextSlot }
    },
    /** Sets the slot with which the next attempt begins, because others have taken the slots before it. */
    begin(key: string, nextSlot: number): void {
      write(key, { ...read(key), nextSlot })
    },
    /** Replaces the ends that this process has counted, because attempts in other processes also count. */
    replace(key: string, ends: readonly number[]): void {
      write(key, { ...read(key), ends })
    },
  }
}

function assertCount(name: string, value: number, max: number): void {
  if (Number.isInteger(value) && value >= 1 && value <= max) return
  throw new Error(
    `createAttemptLimit() got ${name}: ${value}. Pass a whole number from 1 to ${max}.`,
  )
}
