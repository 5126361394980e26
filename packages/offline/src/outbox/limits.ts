/** Limits for one user's outbox. All users of a browser together get twice as much. */
export const maxEntries = 200
export const maxBytes = 20_000_000
export const maxEntryBytes = 5_000_000
/**
 * Maximum age of entries that are sent automatically. The server only remembers their keys for 8
 * days.
 */
export const maxAgeMs = 7.5 * 24 * 60 * 60_000

/**
 * Milliseconds without a response after which a call counts as queued. The notice about a late
 * navigation appears at the same time.
 */
export const limitMs = 3600
/**
 * Milliseconds for which an attempt to send is valid: more than the 30-second limit for requests.
 */
export const leaseMs = 40_000
/**
 * Milliseconds for storing a call. If that takes longer, the call is sent directly, as without an
 * outbox.
 */
export const storeMs = 2000

/** Pauses between attempts to send waiting entries. */
export const firstPauseMs = 5000
export const longestPauseMs = 60_000

/**
 * Milliseconds after which the current user is checked again, because a different user may have
 * signed in.
 */
export const recheckMs = 5000

/**
 * Number of failed attempts, while the site was reachable, after which an entry needs attention.
 */
export const maxTries = 20
