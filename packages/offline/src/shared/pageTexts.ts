/** English. */
export const pageTexts = {
  /** `{time}` is a placeholder. */
  asOf: 'As of {time}. No connection.',
  title: 'No connection',
  heading: 'There is no connection',
  sentence: 'This page opens as soon as the connection is back.',
  /** Above the pages that are kept. */
  kept: 'These pages are there without one:',
  /** Beside such a page; `{time}` is a placeholder. */
  keptAsOf: 'As of {time}',
}

/** Texts of the line over a kept page, and of the built-in screen. */
export type PageTexts = Readonly<typeof pageTexts>

/** A time of the day; with the date when it is longer ago than a day. */
export function timeText(atMs: number, nowMs: number, lang: string): string {
  const isOld = nowMs - atMs > 86_400_000
  const format: Intl.DateTimeFormatOptions = isOld
    ? { dateStyle: 'medium', timeStyle: 'short' }
    : { hour: '2-digit', minute: '2-digit' }
  return new Date(atMs).toLocaleString(lang || undefined, format)
}

export function fillTime(text: string, time: string): string {
  return text.replace('{time}', () => time)
}
