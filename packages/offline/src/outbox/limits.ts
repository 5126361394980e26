/** Bounds of the outbox of a user; those of a browser hold twice as much, of all its users. */
export const maxEntries = 200
export const maxBytes = 20_000_000
export const maxEntryBytes = 5_000_000
/** Then its key may be forgotten soon: the server remembers it for 8 days. */
export const maxAgeMs = 7.5 * 24 * 60 * 60_000

/** A call that is not answered by then is taken for kept. A navigation that late has a notice. */
export const limitMs = 3600
/** Longer than a request may take: it is given up after 30 seconds. */
export const leaseMs = 40_000
/** What is stored by then is stored; else the call goes as without an outbox. */
export const storeMs = 2000

/** Pauses before what waits is sent again. */
export const firstPauseMs = 5000
export const longestPauseMs = 60_000

/** A page on the screen is believed for so long in who is here: somebody else may sign in. */
export const recheckMs = 5000

/** So often an entry is sent in vain while the site responds otherwise. */
export const maxTries = 20
