/** Formats for the times on the page, in the reader's time zone. */
export type Formats = ReturnType<typeof createFormats>

const dayMs = 86_400_000

export function createFormats(timeZone: string) {
  const format = (options: Intl.DateTimeFormatOptions) => {
    const formatter = new Intl.DateTimeFormat('en-GB', { timeZone, ...options })
    return (ms: number) => formatter.format(ms)
  }
  const day = format({ day: 'numeric', month: 'short' })
  const clock = format({ hour: '2-digit', minute: '2-digit' })
  return {
    timeZone,
    /** `19 Nov 2026, 17:05` */
    moment: format({ dateStyle: 'medium', timeStyle: 'short' }),
    /** Formats a tick on the time axis: a day if the chart has several days, otherwise a time. */
    tick: (ms: number, spanMs: number) => (spanMs > 2 * dayMs ? day(ms) : clock(ms)),
    /** `19 Nov, 17:05` */
    short: (ms: number) => `${day(ms)}, ${clock(ms)}`,
  }
}

/** `1,204,311` */
export const count = (number: number) => number.toLocaleString('en')

/** Formats milliseconds for people: `240 ms`, `2.3 s`. */
export function duration(ms: number | null): string {
  if (ms === null) return '–'
  return ms < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(ms < 10_000 ? 1 : 0)} s`
}

/** Formats a share as `0.4 %`. A share between 0 and 0.1 % isn't rounded to zero. */
export function share(part: number, all: number): string {
  const percent = all === 0 ? 0 : (part / all) * 100
  return part > 0 && percent < 0.1 ? '< 0.1 %' : `${percent.toFixed(1)} %`
}
