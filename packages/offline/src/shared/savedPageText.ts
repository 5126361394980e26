/** Formats a time of day, with the date if the time is more than a day ago. */
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

/** Decodes the entities in a title that was cut out of HTML. */
export function plainText(html: string): string {
  return new DOMParser().parseFromString(html, 'text/html').documentElement.textContent ?? ''
}
