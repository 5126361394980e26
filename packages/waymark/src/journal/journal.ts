import { setBounded } from '../shared/maps.ts'
import type { AggregateRecord, JournalDriver, JournalRecord } from './journalDriver.ts'
import type { JournalEntry } from './journalEntry.ts'

export type Journal = ReturnType<typeof createJournal>

// Rates at which entries are stored with all details. Above them, errors are only counted.
const perFingerprint: Rate = { burst: 20, perSecond: 0.1 }
const overall: Rate = { burst: 200, perSecond: 20 }
// Rate of browsers' reports. Anybody can send such reports, so they must not displace the server's
// entries.
const ofBrowsers: Rate = { burst: 60, perSecond: 0.1 }

const maxFingerprints = 500
const maxRecentDigests = 20_000
const maxDigestsPerRecord = 1_000
const countMs = 1_000

type Counted = { -readonly [Key in keyof AggregateRecord]: AggregateRecord[Key] } & {
  digests: string[]
}

export function createJournal({
  driver,
  now = Date.now,
}: {
  readonly driver: JournalDriver
  readonly now?: () => number
}) {
  const gates = { server: createGate(overall), browser: createGate(ofBrowsers) }
  const recentDigests = new Map<string, true>()
  /** Digests of the latest entries that were stored with all details, keyed by fingerprint. */
  const examples = new Map<string, string>()
  const flood = createFloodCounter(driver)
  const closing: (() => void)[] = []

  return {
    /**
     * Records an error.
     * @returns true if the entry is stored, false if it is only counted because of the rate
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
    async has(digest: string): Promise<boolean> {
      return recentDigests.has(digest) || (await driver.find(digest)) !== null
    },
    flush(): Promise<void> {
      flood.write()
      return driver.flush()
    },
    /** Registers a listener that runs before the driver is closed. */
    onClose: (listener: () => void): void => void closing.push(listener),
    close(): Promise<void> {
      for (const listener of closing) listener()
      flood.write()
      return driver.close()
    },
  }
}

export type AttachableJournal = JournalDriver & {
  /** Replaces the driver. The new driver gets all records so far. */
  attach(driver: JournalDriver): void
}

// Maximum number of records to pass on to the new driver. During the start, there are few errors,
// or many equal ones.
const maxHandedOver = 1_000

/**
 * Creates a journal that can get its driver later. The first driver is used until the program that
 * starts the server has opened the real journal.
 * @param first driver that stores the records until a different one is attached
 */
export function createAttachableJournal(first: JournalDriver): AttachableJournal {
  let current = first
  const written: JournalRecord[] = []
  return {
    write(record) {
      if (current === first && written.length < maxHandedOver) written.push(record)
      current.write(record)
    },
    list: (filter) => current.list(filter),
    groups: (filter) => current.groups(filter),
    find: (digest) => current.find(digest),
    counts: (filter) => current.counts(filter),
    flush: () => current.flush(),
    close: () => current.close(),
    attach(driver) {
      current = driver
      for (const record of written.splice(0)) driver.write(record)
      void first.close()
    },
  }
}

/** Counts occurrences above the rate. A second later, writes their number as one record. */
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
    // The journal is written when the process ends, so the timer need not keep the process alive.
    // In workerd, a timer is a number.
    timer.unref?.()
  }

  return { write, count }
}

function createGate(rate: Rate) {
  const ofKind = createTokenBuckets(perFingerprint, maxFingerprints)
  const ofAll = createTokenBucket(rate)
  return (fingerprint: string, nowMs: number): boolean =>
    ofKind.take(fingerprint, nowMs) && ofAll.take(nowMs)
}

export type Rate = {
  /** Number of events that are allowed at once after a pause. */
  readonly burst: number
  /** Number of events that are allowed per second in the long run. */
  readonly perSecond: number
}

export function createTokenBucket({ burst, perSecond }: Rate) {
  let tokens = burst
  let filledAtMs = Number.NEGATIVE_INFINITY
  return {
    take(nowMs: number): boolean {
      // The clock may have been set back.
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
 * Limits the rate of events for each key, such as a client's network.
 * @param maxKeys maximum number of keys. Above it, the least recently used key is dropped
 * @returns `take(key, nowMs)`, which returns false if the key has used up its rate
 */
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
