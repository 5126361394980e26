/** Times at which a job is due. */
export type JobTimes =
  /** Milliseconds between two runs, counted from midnight UTC of 1970-01-01. At least 10,000. */
  | { readonly every: number; readonly at?: never; readonly timeZone?: never }
  /** A time of each day, such as `03:30`, in a time zone such as `Europe/Berlin`. Default: `UTC`. */
  | { readonly at: string; readonly timeZone?: string; readonly every?: never }

const minEveryMs = 10_000
const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

/** Describes the problem with a job's times. Returns `null` for valid times. */
export function problemOfTimes({ every, at, timeZone }: JobTimes): string | null {
  if (every !== undefined) {
    const isValid = Number.isSafeInteger(every) && every >= minEveryMs && at === undefined
    return isValid ? null : `every must be a whole number of at least ${minEveryMs} milliseconds`
  }
  if (!/^(?:[01]\d|2[0-3]):[0-5]\d$/.test(at ?? '')) return 'at must be a time such as 03:30'
  try {
    new Intl.DateTimeFormat('en', { timeZone })
    return null
  } catch {
    return `${timeZone} is not a time zone, such as Europe/Berlin`
  }
}

/**
 * Returns the last time at which a job was due, in milliseconds since the epoch. If clocks skip a
 * daily time, because summer time starts, the job is due at the end of the gap. If a daily time
 * occurs twice, because summer time ends, the job is due the first time.
 */
export function lastDueMs(times: JobTimes, nowMs: number): number {
  if (times.every !== undefined) return Math.floor(nowMs / times.every) * times.every
  const { at, timeZone = 'UTC' } = times
  const [hours = 0, minutes = 0] = at.split(':').map(Number)
  const format = createFormat(timeZone)
  const localMs = nowMs + offsetMs(format, nowMs)
  const today = Math.floor(localMs / dayMs) * dayMs
  for (let day = today + dayMs; ; day -= dayMs) {
    const dueMs = toEpochMs(format, day + (hours * 60 + minutes) * minuteMs)
    if (dueMs <= nowMs) return dueMs
  }
}

/**
 * Converts a local time, written as if it were UTC, to the time since the epoch. Tries the UTC offsets
 * of the day before and the day after. If a local time occurs twice, the first occurrence wins.
 */
function toEpochMs(format: Intl.DateTimeFormat, localMs: number): number {
  const before = offsetMs(format, localMs - dayMs)
  const after = offsetMs(format, localMs + dayMs)
  const candidates = [localMs - before, localMs - after].sort((one, other) => one - other)
  const exact = candidates.find((ms) => ms + offsetMs(format, ms) === localMs)
  if (exact !== undefined) return exact
  return endOfGap(format, candidates)
}

/** Finds the minute at which the offset changes, between two times. */
function endOfGap(format: Intl.DateTimeFormat, [first = 0, last = 0]: readonly number[]): number {
  const offsetAfter = offsetMs(format, last)
  let low = Math.floor(first / minuteMs)
  let high = Math.ceil(last / minuteMs)
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (offsetMs(format, middle * minuteMs) === offsetAfter) high = middle
    else low = middle + 1
  }
  return low * minuteMs
}

function createFormat(timeZone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
}

/** Returns the local time minus UTC at a moment, in milliseconds. */
function offsetMs(format: Intl.DateTimeFormat, ms: number): number {
  const parts = new Map(format.formatToParts(ms).map(({ type, value }) => [type, Number(value)]))
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0
  const local = Date.UTC(
    part('year'),
    part('month') - 1,
    part('day'),
    part('hour'),
    part('minute'),
    part('second'),
  )
  return local - Math.floor(ms / 1_000) * 1_000
}
