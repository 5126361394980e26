const maxLines = 8
const lines: string[] = []

/** Adds a line to the log in the memory of this process. */
export function log(line: string): void {
  lines.push(`${new Date().toISOString().slice(11, 23)}  ${line}`)
  lines.splice(0, lines.length - maxLines)
}

/** Returns the last lines, the oldest first. */
export function readLog(): readonly string[] {
  return lines
}
