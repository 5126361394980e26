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

/** A title as it is in HTML, without its entities. */
export function plainText(html: string): string {
  return new DOMParser().parseFromString(html, 'text/html').documentElement.textContent ?? ''
}
