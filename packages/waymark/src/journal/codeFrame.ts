const linesAround = 2

/**
 * Writes the lines around a place, with their numbers and a mark below the column.
 * @param line from 1
 * @param column from 1
 */
export function codeFrame(source: string, line: number, column: number): string {
  const lines = source.split(/\r?\n/)
  const first = Math.max(1, line - linesAround)
  const last = Math.min(lines.length, line + linesAround)
  const width = String(last).length
  const written: string[] = []
  for (let number = first; number <= last; number++) {
    const text = lines[number - 1] ?? ''
    written.push(`${String(number).padStart(width)} | ${text}`)
    if (number === line) written.push(`${' '.repeat(width)} | ${markBelow(text, column)}`)
  }
  return written.join('\n')
}

// Tabs stay tabs, so that the mark stands where the eye looks for it.
function markBelow(text: string, column: number): string {
  const before = text.slice(0, Math.max(0, column - 1)).replace(/[^\t]/g, ' ')
  return `${before}^`
}
