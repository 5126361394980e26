import type { HeaderLines } from './response.ts'

/** @param name lower case @returns the value of its first line; `null` without one */
export function headerOf(lines: HeaderLines, name: string): string | null {
  return lines.find(([each]) => each.toLowerCase() === name)?.[1] ?? null
}

/** @param name lower case */
export function withoutHeader(lines: HeaderLines, name: string): HeaderLines {
  return lines.filter(([each]) => each.toLowerCase() !== name)
}

export function setsCookie(lines: HeaderLines): boolean {
  return headerOf(lines, 'set-cookie') !== null
}

/** Adds lines that are missing; an empty value suppresses a default. Names in lower case. */
export function withDefaultLines(lines: HeaderLines, defaults: HeaderLines): HeaderLines {
  const added = defaults.filter(([name]) => !hasLine(lines, name))
  const all = added.length > 0 ? [...lines, ...added] : lines
  return all.some(isEmptyLine) ? all.filter((line) => !isEmptyLine(line)) : all
}

function hasLine(lines: HeaderLines, name: string): boolean {
  for (const line of lines) if (line[0] === name) return true
  return false
}

function isEmptyLine([, value]: [name: string, value: string]): boolean {
  return value === ''
}
