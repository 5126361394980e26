import { readFileSync } from 'node:fs'
import path from 'node:path'
import compile from 'icu-minify/compile'
import { isTable, type MessageTable, mergeMessages } from '../shared/usedMessages.ts'
import { createKeyLines } from './keyLines.ts'
import { lineAt } from './problem.ts'

/** The messages of a language. */
export type MessageFile = {
  readonly locale: string
  readonly file: string
  /** The messages as they are in the file. */
  readonly table: MessageTable
  readonly compiled: MessageTable
  /** Returns the line of a message or of a group. */
  lineOf(names: readonly string[]): number
}

/** A problem in a file with messages. */
export class MessageError extends Error {
  readonly file: string
  readonly line: number

  constructor(file: string, line: number, reason: string) {
    super(`${file}:${line}: ${reason}`)
    this.file = file
    this.line = line
  }
}

/**
 * Reads and compiles the messages of a language.
 * @throws MessageError for a missing or malformed file, and for a message that isn't valid ICU
 * MessageFormat
 */
export function readMessageFile(folder: string, locale: string): MessageFile {
  const file = path.join(folder, `${locale}.json`)
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch {
    throw new MessageError(file, 1, `the messages in ${locale} are missing`)
  }
  let table: unknown
  try {
    table = JSON.parse(text)
  } catch (error) {
    const at = Number(/position (\d+)/.exec(String(error))?.[1] ?? 0)
    throw new MessageError(file, lineAt(text, at), String(error))
  }
  if (!isTable(table)) throw new MessageError(file, 1, 'the file must contain an object')
  let lines: ReturnType<typeof createKeyLines> | null = null
  const lineOf = (names: readonly string[]) => {
    lines ??= createKeyLines(text)
    return lines(names)
  }
  const fail = (names: readonly string[], reason: string) =>
    new MessageError(file, lineOf(names), reason)
  return { locale, file, table, compiled: compileTable(table, [], fail), lineOf }
}

/** Returns the compiled messages of a language. Missing messages are in the default language. */
export function withFallback({ compiled }: MessageFile, base: MessageFile): MessageTable {
  return mergeMessages(base.compiled, compiled)
}

/** Lists the keys of all messages, such as `home.title`. */
export function keysOf(table: MessageTable, above = ''): string[] {
  return Object.entries(table).flatMap(([name, value]) =>
    isTable(value) ? keysOf(value, `${above}${name}.`) : [above + name],
  )
}

function compileTable(
  table: MessageTable,
  above: readonly string[],
  fail: (names: readonly string[], reason: string) => MessageError,
): MessageTable {
  const compiled: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(table)) {
    const names = [...above, name]
    if (name.includes('.')) {
      throw fail(names, `the key ${JSON.stringify(name)} contains a period, which separates groups`)
    }
    if (name === '__proto__') throw fail(names, '__proto__ is not allowed as a key')
    if (isTable(value)) {
      compiled[name] = compileTable(value, names, fail)
      continue
    }
    if (typeof value !== 'string') throw fail(names, `${names.join('.')} isn't a string`)
    try {
      compiled[name] = compile(value)
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      throw fail(names, `${names.join('.')} isn't valid ICU syntax: ${reason}`)
    }
  }
  return compiled
}
