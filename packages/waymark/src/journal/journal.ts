import type { JournalDriver } from './journalDriver.ts'
import type { JournalEntry } from './journalEntry.ts'
import type { AggregateRecord } from './record.ts'

/** What stands before a driver and keeps a flood of errors from filling it. */
export type Journal = {
  /**
   * Records an occurrence. In a flood it is only counted, by kind and with its digest.
   * @returns whether the whole entry is kept
   */
  record(entry: JournalEntry): boolean
  /** Tells whether a digest is taken already. */
  has(digest: string): Promise<boolean>
  /** Resolves once all that was recorded has reached the driver, and is kept there. */
  flush(): Promise<void>
  close(): Promise<void>
}

/** How many entries are kept whole. */
export type JournalLimits = {
  /** Of one kind. */
  readonly perFingerprint: Rate
  readonly overall: Rate
  /** Of browsers: strangers write them, and must not push out the server's. */
  readonly browsers: Rate
}

const defaultLimits: JournalLimits = {
  perFingerprint: { burst: 20, perSecond: 0.1 },
  overall: { burst: 200, perSecond: 20 },
  browsers: { burst: 60, perSecond: 0.1 },
}

const maxFingerprints = 500
const maxRecentDigests = 20_000
const maxDigestsPerRecord = 1_000
const countMs = 1_000

type Counted = { -readonly [Key in keyof AggregateRecord]: AggregateRecord[Key] } & {
  digests: string[]
}

/** What a journal is made of. */
export type JournalOptions = {
  readonly driver: JournalDriver
  readonly now?: () => number
  readonly limits?: JournalLimits
}

/** Makes the journal of a process. */
export function createJournal({
  driver,
  now = Date.now,
  limits = defaultLimits,
}: JournalOptions): Journal {
  const gates = {
    server: createGate(limits.perFingerprint, limits.overall),
    browser: createGate(limits.perFingerprint, limits.browsers),
  }
  const recent = createRecent(maxRecentDigests)
  const examples = createRecent(maxFingerprints)
  const counted = new Map<string, Counted>()
  let timer: ReturnType<typeof setTimeout> | undefined

  function writeCounted(): void {
    clearTimeout(timer)
    timer = undefined
    for (const record of counted.values()) driver.write(record)
    counted.clear()
  }

  function count(entry: JournalEntry): void {
    const { fingerprint, route, digest, timeMs } = entry
    const key = `${fingerprint} ${route}`
    const record = counted.get(key) ?? emptyRecord(entry, examples.get(fingerprint))
    counted.set(key, record)
    record.count++
    record.toMs = timeMs
    if (record.digests.length < maxDigestsPerRecord) record.digests.push(digest)
    if (counted.size >= maxFingerprints) writeCounted()
    else timer ??= unreferenced(setTimeout(writeCounted, countMs))
  }

  return {
    record(entry) {
      recent.set(entry.digest, '')
      const gate = entry.phase === 'browser' ? gates.browser : gates.server
      if (gate(entry.fingerprint, now())) {
        examples.set(entry.fingerprint, entry.digest)
        driver.write(entry)
        return true
      }
      count(entry)
      return false
    },
    async has(digest) {
      return recent.get(digest) !== undefined || (await driver.find(digest)) !== null
    },
    flush() {
      writeCounted()
      return driver.flush()
    },
    close() {
      writeCounted()
      return driver.close()
    },
  }
}

/** Makes what decides whether an entry is kept whole. */
function createGate(perFingerprint: Rate, overall: Rate) {
  const ofKind = createTokenBuckets(perFingerprint, maxFingerprints)
  const ofAll = createTokenBucket(overall)
  return (fingerprint: string, nowMs: number): boolean =>
    ofKind.take(fingerprint, nowMs) && ofAll.take(nowMs)
}

function emptyRecord({ fingerprint, route, timeMs }: JournalEntry, example = ''): Counted {
  const span = { fromMs: timeMs, toMs: timeMs }
  return {
    kind: 'alike',
    fingerprint,
    route,
    count: 0,
    ...span,
    digests: [],
    example: example || null,
  }
}

/** Keeps the texts set last, by key. */
function createRecent(maxKeys: number) {
  const texts = new Map<string, string>()
  return {
    get: (key: string): string | undefined => texts.get(key),
    set(key: string, text: string): void {
      texts.set(key, text)
      const [first] = texts.keys()
      if (texts.size > maxKeys && first !== undefined) texts.delete(first)
    },
  }
}

// Counting must not keep a process alive; the one that ends it flushes.
function unreferenced(timer: ReturnType<typeof setTimeout>): ReturnType<typeof setTimeout> {
  if (typeof timer === 'object') timer.unref()
  return timer
}

/** How often something may happen. */
export type Rate = {
  /** At once, after a rest. */
  readonly burst: number
  /** On the long run. */
  readonly perSecond: number
}

/** Counts what happens against a rate. */
export type TokenBucket = {
  /** Tells whether it may happen once more, and counts it then. */
  take(nowMs: number): boolean
}

/** Makes a bucket: full at first, emptied by use, filled by time. */
export function createTokenBucket({ burst, perSecond }: Rate): TokenBucket {
  let tokens = burst
  let filledAtMs = Number.NEGATIVE_INFINITY
  return {
    take(nowMs) {
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

/**
 * Makes buckets by key. When there are too many, the one that was first used is forgotten: it
 * would begin full again.
 */
export function createTokenBuckets(
  rate: Rate,
  maxKeys: number,
): { take(key: string, nowMs: number): boolean } {
  const buckets = new Map<string, TokenBucket>()
  return {
    take(key, nowMs) {
      let bucket = buckets.get(key)
      if (!bucket) {
        bucket = createTokenBucket(rate)
        buckets.set(key, bucket)
        if (buckets.size > maxKeys) {
          const [first] = buckets.keys()
          if (first !== undefined) buckets.delete(first)
        }
      }
      return bucket.take(nowMs)
    },
  }
}
