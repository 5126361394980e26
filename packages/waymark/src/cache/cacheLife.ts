import { frameworkError } from '../shared/errors.ts'

export type CacheLife<Tags = Iterable<string>> = {
  readonly tags: Tags
  /** Seconds until a value is stale; `null` if only a tag makes it stale. */
  readonly revalidateSeconds: number | null
  /** Seconds until a value expires; `null` if it never expires. */
  readonly expireSeconds: number | null
}

/** Collects the shortest lifetime and all tags of what a page or cached function uses. */
export type DependencyTracker = CacheLife<ReadonlySet<string>> & {
  /** True if stale entries may be returned. */
  readonly acceptsStale: boolean
  /** True if anything that the page or function has used was stale. */
  isStale: boolean
  add(part: CacheLife, isStale?: boolean): void
}

export function createDependencyTracker(acceptsStale = false): DependencyTracker {
  const tags = new Set<string>()
  const tracker = {
    acceptsStale,
    isStale: false,
    tags,
    revalidateSeconds: null as number | null,
    expireSeconds: null as number | null,
    add(part: CacheLife, isStale = false) {
      tracker.isStale ||= isStale
      for (const tag of part.tags) tags.add(tag)
      tracker.revalidateSeconds = shorterLife(tracker.revalidateSeconds, part.revalidateSeconds)
      tracker.expireSeconds = shorterLife(tracker.expireSeconds, part.expireSeconds)
    },
  }
  return tracker
}

/** Returns the shorter of two lifetimes in seconds. `null` is an infinite lifetime. */
export function shorterLife(one: number | null, other: number | null): number | null {
  return one === null ? other : other === null ? one : Math.min(one, other)
}

/** Lifetime of a value, in seconds after its computation. */
export type Lifetime = {
  /**
   * Time after which the value is refreshed while the old value is still returned; `null` if only a
   * tag makes it stale.
   */
  readonly revalidate: number | null
  /**
   * Time after which the value isn't returned any more; `null` if only a tag or a lack of space
   * removes it.
   */
  readonly expire: number | null
}

export type LifetimeName = 'seconds' | 'minutes' | 'hours' | 'days' | 'weeks' | 'max'

const minute = 60
const hour = 60 * minute
const day = 24 * hour

export const builtInLifetimes: Readonly<Record<LifetimeName, Lifetime>> = {
  seconds: { revalidate: 1, expire: minute },
  minutes: { revalidate: minute, expire: hour },
  hours: { revalidate: hour, expire: day },
  days: { revalidate: day, expire: 7 * day },
  weeks: { revalidate: 7 * day, expire: 30 * day },
  max: { revalidate: 30 * day, expire: 365 * day },
}

export const defaultLifetime: Lifetime = { revalidate: 15 * minute, expire: null }

/** A lifetime as an app writes it, in seconds. `Infinity` and `false` mean never. */
export type LifetimeOptions = {
  readonly revalidate?: number | false | undefined
  readonly expire?: number | false | undefined
}

export function readLifetime({ revalidate, expire }: LifetimeOptions): Lifetime {
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
