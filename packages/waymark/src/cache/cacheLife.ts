import { frameworkError } from '../shared/errors.ts'

/** How long something may be cached, and what ends it earlier. */
export type CacheLife<Tags = Iterable<string>> = {
  readonly tags: Tags
  /** Seconds until it is stale; `null`: only a tag makes it so. */
  readonly revalidateSeconds: number | null
  /** Seconds until it is gone; `null`: never. */
  readonly expireSeconds: number | null
}

/**
 * Gathers what a page, or a cached function, has read of the cache while it ran: it may live as
 * long as the part of it that lives shortest, and every tag of a part is one of the whole.
 */
export type DependencyTracker = CacheLife<ReadonlySet<string>> & {
  add(part: CacheLife): void
}

/** Creates a tracker of nothing: it lives for ever. */
export function createDependencyTracker(): DependencyTracker {
  const tags = new Set<string>()
  const tracker = {
    tags,
    revalidateSeconds: null as number | null,
    expireSeconds: null as number | null,
    add(part: CacheLife) {
      for (const tag of part.tags) tags.add(tag)
      tracker.revalidateSeconds = shorterLife(tracker.revalidateSeconds, part.revalidateSeconds)
      tracker.expireSeconds = shorterLife(tracker.expireSeconds, part.expireSeconds)
    },
  }
  return tracker
}

/** The shorter of two times in seconds; `null` is for ever. */
export function shorterLife(one: number | null, other: number | null): number | null {
  return one === null ? other : other === null ? one : Math.min(one, other)
}

/** How long a cached value lives, in seconds since it was computed. */
export type Lifetime = {
  /** From then on it is refreshed while the old one is served; `null`: only by a tag. */
  readonly revalidate: number | null
  /** From then on it is never served; `null`: only by a tag, or for want of room. */
  readonly expire: number | null
}

/** Names of the lifetimes that are there without being configured. */
export type LifetimeName = 'seconds' | 'minutes' | 'hours' | 'days' | 'weeks' | 'max'

const minute = 60
const hour = 60 * minute
const day = 24 * hour

/** Lifetimes by name: refreshed after one of the unit, gone after a good many. */
export const builtInLifetimes: Readonly<Record<LifetimeName, Lifetime>> = {
  seconds: { revalidate: 1, expire: minute },
  minutes: { revalidate: minute, expire: hour },
  hours: { revalidate: hour, expire: day },
  days: { revalidate: day, expire: 7 * day },
  weeks: { revalidate: 7 * day, expire: 30 * day },
  max: { revalidate: 30 * day, expire: 365 * day },
}

/** Of what says nothing about it. */
export const defaultLifetime: Lifetime = { revalidate: 15 * minute, expire: null }

/** A lifetime as an app gives it: `Infinity` and `false` are never. */
export type GivenLifetime = {
  readonly revalidate?: number | false | undefined
  readonly expire?: number | false | undefined
}

/**
 * Completes a lifetime.
 * @throws `CACHE_LIFETIME`
 */
export function readLifetime({ revalidate, expire }: GivenLifetime): Lifetime {
  const lifetime = {
    revalidate: revalidate === undefined ? defaultLifetime.revalidate : readSeconds(revalidate),
    expire: expire === undefined ? defaultLifetime.expire : readSeconds(expire),
  }
  const ends = lifetime.expire ?? Number.POSITIVE_INFINITY
  if (revalidate === undefined && ends < Number(lifetime.revalidate)) {
    return { revalidate: null, expire: lifetime.expire }
  }
  if (ends < (lifetime.revalidate ?? 0)) throw lifetimeError({ revalidate, expire })
  return lifetime
}

function readSeconds(seconds: number | false): number | null {
  if (seconds === false || seconds === Number.POSITIVE_INFINITY) return null
  if (typeof seconds === 'number' && seconds >= 0) return seconds
  throw lifetimeError(seconds)
}

function lifetimeError(value: unknown): Error {
  return frameworkError('CACHE_LIFETIME', { value: JSON.stringify(value) ?? String(value) })
}
