export {
  type CacheDriver,
  type CacheEntry,
  type Invalidation,
  type InvalidationMode,
  type Lease,
  type LeaseWait,
  waitForLease,
} from './cache/cacheDriver.ts'
export {
  decodeCacheEntry,
  encodeCacheEntry,
  type Freshness,
  resultEntry,
  servableEntry,
} from './cache/cacheEntry.ts'
export { createInvalidations, type NotifyOthers, oneAtATime } from './cache/invalidation.ts'
export { createMemoryDriver, type MemoryDriverOptions } from './cache/memoryCacheDriver.ts'
export { createPauseWatch, type PauseWatch } from './cache/pauseWatch.ts'
export type { CountsRecord } from './http/endpoint.ts'
export { createFilesJournal, type FilesJournalOptions } from './journal/files/fileJournalDriver.ts'
export type {
  CountsFilter,
  DigestMatch,
  JournalDriver,
  JournalFilter,
  JournalGroup,
} from './journal/journalDriver.ts'
export { type AggregateRecord, decodeRecord, type JournalRecord } from './journal/journalDriver.ts'
export {
  type BrowserContext,
  createEntry,
  type EntryContext,
  type JournalEntry,
  type JournalPhase,
} from './journal/journalEntry.ts'
export type { LineQuery } from './journal/query.ts'
export {
  createLineQueue,
  createMemoryJournal,
  createStoredJournal,
  type LineQueue,
  type LineQueueOptions,
  type LineStore,
  type MemoryJournalOptions,
} from './journal/storedJournal.ts'
export type { Cause, ThrownText } from './journal/thrownText.ts'
export type { DriverOptions, DriverPackage } from './node/runtimePackages.ts'
export { FrameworkError } from './shared/errors.ts'
export { timedOut, withDeadline } from './shared/promises.ts'
export { createDigest } from './wire/errorReport.ts'
