import { recentArrivals } from './client/recentArrivals.ts'

export type { Arrival } from './client/recentArrivals.ts'

/** The last fifty loads of this document that have ended, the newest first; none on a server. */
export const listArrivals = recentArrivals.list

/** Calls back after each load. @returns ends it */
export const onArrival = recentArrivals.subscribe
