export function formatKilobytes(bytes: number): string {
  return `${(bytes / 1000).toFixed(1)} kB`
}

/** Reads the first size in a text, in bytes. Returns `null` if the text contains none. */
export function parseKilobytes(text: string): number | null {
  const [, kilobytes] = /(\d+(?:\.\d+)?) kB/.exec(text) ?? []
  return kilobytes === undefined ? null : Math.round(Number(kilobytes) * 1000)
}
