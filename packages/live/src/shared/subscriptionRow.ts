/**
 * Description of the data that a rendering has read. The server writes it at the end of the
 * payload.
 */
export type Subscription = {
  /** Id of the rendering. It begins with the id of the process. */
  readonly rendering: string
  /** Name for the data. Renderings that read the same data have the same name. */
  readonly reads: string
  readonly sealed: string
  /** True if the page was rendered from stale data. */
  readonly isStale: boolean
}

// Start of the row. Nothing refers to this id, so React's decoder ignores the row.
const rowStart = '7e000000:'

export function writeRow({ rendering, reads, sealed, isStale }: Subscription): string {
  return `${rowStart}${JSON.stringify([rendering, reads, sealed, isStale])}\n`
}

/** @param text the end of a payload @returns `null` for a page that is not live */
export function readRow(text: string): Subscription | null {
  const at = text.lastIndexOf(`\n${rowStart}`)
  if (at === -1) return null
  const start = at + 1 + rowStart.length
  try {
    const row = JSON.parse(text.slice(start, text.indexOf('\n', start)))
    const [rendering, reads, sealed, isStale = false] = row as [string, string, string, boolean]
    return rendering && reads && sealed ? { rendering, reads, sealed, isStale } : null
  } catch {
    return null
  }
}
