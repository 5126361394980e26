/** Limits for one user's outbox. All users of a browser together get twice as much. */
export const maxEntries = 200
export const maxBytes = 20_000_000
export const maxEntryBytes = 5_000_000
/** Older entries aren't sent automatically: the server remembers their keys for 8 days only. */
export const maxAgeMs = 7.5 * 24 * 60 * 60_000

/**
 * A call without a response after this time counts as queued. The notice for a late navigation appears
 * after the same time.
 */
export const limitMs = 3600
/**
 * Milliseconds for which an attempt to send is valid. The value exceeds the time limit for requests,
 * which is 30 seconds.
 */
export const leaseMs = 40_000
/**
 * Time limit for storage. A call that isn't stored in time is sent directly, as in an app without an
 * outbox.
 */
export const storeMs = 2000

/** Pauses between attempts to send waiting entries. */
export const firstPauseMs = 5000
export const longestPauseMs = 60_000

/** Check the current user again if the last check is older than this, since another user may sign in. */
export const recheckMs = 5000

/** Number of failed attempts to send an entry, while the site was reachable, before it needs attention. */
export const maxTries = 20
