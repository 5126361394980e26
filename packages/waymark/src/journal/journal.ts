import { setBounded } from '../shared/boundedMap.ts'
import type { JournalDriver } from './journalDriver.ts'
import type { JournalEntry } from './journalEntry.ts'
import type { AggregateRecord } from './record.ts'

/** What stands before a driver and saves it from a flood of errors. */
export type Journal = ReturnType<typeof createJournal>

// How many entries are stored whole.
const perFingerprint: Rate = { burst: 20, perSecond: 0.1 }
const overall: Rate = { burst: 200, perSecond: 20 }
// Of browsers: strangers write them, and must not push out the server's.
const ofBrowsers: Rate = { burst: 60, perSecond: 0.1 }

const maxFingerprints = 500
const maxRecentDigests = 20_000
const maxDigestsPerRecord = 1_000
const countMs = 1_000

type Counted = { -readonly [Key in keyof AggregateRecord]: AggregateRecord[Key] } & {
  digests: string[]
}

/** Creates the journal of a process. */
export function createJournal({
  driver,
  now = Date.now,
}: {
  readonly driver: JournalDriver
  readonly now?: () => number
}) {
  const gates = { server: createGate(overall), browser: createGate(ofBrowsers) }
  const recentDigests = new Map<string, true>()
  /** Digest of the last that was stored whole, by fingerprint. */
  const examples = new Map<string, string>()
  const flood = createFloodCounter(driver)

  return {
    /**
     * Records an occurrence. In a flood it is only counted, by kind and with its digest.
     * @returns whether the whole entry is stored
     */
    record(entry: JournalEntry): boolean {
      setBounded(recentDigests, entry.digest, true, maxRecentDigests)
      const gate = entry.phase === 'browser' ? gates.browser : gates.server
      if (gate(entry.fingerprint, now())) {
        setBounded(examples, entry.fingerprint, entry.digest, maxFingerprints)
        driver.write(entry)
        return true
      }
      flood.count(entry, examples.get(entry.fingerprint) ?? null)
      return false
    },
    /** Tells whether a digest is in use already. */
    async has(digest: string): Promise<boolean> {
      return recentDigests.has(digest) || (await driver.find(digest)) !== null
    },
    /** Resolves once the driver has stored all that was recorded. */
    flush(): Promise<void> {
      flood.write()
      return driver.flush()
    },
    close(): Promise<void> {
      flood.write()
      return driver.close()
    },
  }
}

/** Creates what counts occurrences that are too many, and writes their records a second later. */
function createFloodCounter(driver: JournalDriver) {
  const counted = new Map<string, Counted>()
  let timer: ReturnType<typeof setTimeout> | undefined

  function write(): void {
    clearTimeout(timer)
    timer = undefined
    for (const record of counted.values()) driver.write(record)
    counted.clear()
  }

  function count(entry: JournalEntry, example: string | null): void {
    const { fingerprint, route, digest, timeMs } = entry
    const key = `${fingerprint} ${route}`
    const record = counted.get(key) ?? {
      kind: 'alike',
      fingerprint,
      route,
      count: 0,
      fromMs: timeMs,
      toMs: timeMs,
      digests: [],
      example,
    }
    counted.set(key, record)
    record.count++
    record.toMs = timeMs
    if (record.digests.length < maxDigestsPerRecord) record.digests.push(digest)
    if (counted.size >= maxFingerprints) write()
    if (timer || counted.size === 0) return
    timer = setTimeout(write, countMs)
    // Counting must not keep a process alive; the one that ends it flushes. A number in workerd.
    timer.unref?.()
  }

  return { write, count }
}

/** Creates what decides whether an entry is stored whole. */
function createGate(rate: Rate) {
  const ofKind = createTokenBuckets(perFingerprint, maxFingerprints)
  const ofAll = createTokenBucket(rate)
  return (fingerprint: string, nowMs: number): boolean =>
    ofKind.take(fingerprint, nowMs) && ofAll.take(nowMs)
}

/** How often something may happen. */
export type Rate = {
  /** At once, after a rest. */
  readonly burst: number
  /** On the long run. */
  readonly perSecond: number
}

/** Creates a bucket: full at first, emptied by use, filled by time. */
export function createTokenBucket({ burst, perSecond }: Rate) {
  let tokens = burst
  let filledAtMs = Number.NEGATIVE_INFINITY
  return {
    /** Tells whether it may happen once more, and counts it then. */
    take(nowMs: number): boolean {
      // A clock that was set back fills nothing.
      const elapsedMs = Math.max(0, nowMs - filledAtMs)
      tokens = Math.min(burst, tokens + (elapsedMs / 1000) * perSecond)
      filledAtMs = nowMs
      if (tokens < 1) return false
      tokens--
      return true
    },
  }
}

/** Creates buckets by key; of too many, the least recently used one is forgotten. */
export function createTokenBuckets(rate: Rate, maxKeys: number) {
  const buckets = new Map<string, ReturnType<typeof createTokenBucket>>()
  return {
    take(key: string, nowMs: number): boolean {
      const bucket = buckets.get(key) ?? createTokenBucket(rate)
      setBounded(buckets, key, bucket, maxKeys)
      return bucket.take(nowMs)
    },
  }
}
