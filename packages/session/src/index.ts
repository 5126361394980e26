export { type Attempt, type AttemptLimitOptions, createAttemptLimit } from './attemptLimit.ts'
export { type CacheStore, cacheStore } from './cacheStore.ts'
export { type ConcurrencyLimitOptions, createConcurrencyLimit } from './concurrencyLimit.ts'
export {
  createSession,
  type Device,
  type SealedSessions,
  type Session,
  type SessionOptions,
  type SignInOptions,
  type StoredSessions,
} from './createSession.ts'
export type { Flash } from './flash.ts'
export type { SessionRow, SessionStore } from './sessionStore.ts'
