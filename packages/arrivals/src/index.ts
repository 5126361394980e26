import { recentArrivals } from './client/recentArrivals.ts'

export type { Arrival } from './client/recentArrivals.ts'

/** Returns the last fifty loads of this document that have ended, newest first. Empty on a server. */
export const listArrivals = recentArrivals.list

/** Calls `listener` after each load. @returns a function that removes the listener */
export const onArrival = recentArrivals.subscribe
