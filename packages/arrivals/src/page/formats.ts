/** How the page writes times and numbers, in the reader's time zone. */
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
    /** For the axis of a chart: days where it has several, else hours. */
    tick: (ms: number, spanMs: number) => (spanMs > 2 * dayMs ? day(ms) : clock(ms)),
    /** `19 Nov, 17:05` */
    short: (ms: number) => `${day(ms)}, ${clock(ms)}`,
  }
}

/** `1,204,311` */
export const count = (number: number) => number.toLocaleString('en')

/** Milliseconds as a person reads them: `240 ms`, `2.3 s`. */
export function duration(ms: number | null): string {
  if (ms === null) return '–'
  return ms < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(ms < 10_000 ? 1 : 0)} s`
}

/** `0.4 %`; less than a tenth is not nothing. */
export function share(part: number, all: number): string {
  const percent = all === 0 ? 0 : (part / all) * 100
  return part > 0 && percent < 0.1 ? '< 0.1 %' : `${percent.toFixed(1)} %`
}
