import { readFileSync } from 'node:fs'
import path from 'node:path'
import compile from 'icu-minify/compile'
import { isTable, type MessageTable, mergeMessages } from '../shared/usedMessages.ts'

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

export function messageFile(folder: string, locale: string): string {
  return path.join(folder, `${locale}.json`)
}

/** Reads a language's messages. @throws MessageError for a missing or malformed file */
export function readMessages(folder: string, locale: string): MessageTable {
  const file = messageFile(folder, locale)
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
    throw new MessageError(file, text.slice(0, at).split('\n').length, String(error))
  }
  if (!isTable(table)) throw new MessageError(file, 1, 'the file must contain an object')
  checkTable(table, [], file, text)
  return table
}

/**
 * Compiles the messages of a language. Missing messages are in the default language.
 * @throws MessageError for a message that isn't valid ICU MessageFormat
 */
export function compileMessages(
  folder: string,
  locale: string,
  defaultLocale: string,
): MessageTable {
  const own = readMessages(folder, locale)
  if (locale === defaultLocale) return compileTable(own, [], folder, locale)
  const base = compileMessages(folder, defaultLocale, defaultLocale)
  return mergeMessages(base, compileTable(own, [], folder, locale))
}

/** Lists the keys of all messages, such as `home.title`. */
export function keysOf(table: MessageTable, above = ''): string[] {
  return Object.entries(table).flatMap(([name, value]) =>
    isTable(value) ? keysOf(value, `${above}${name}.`) : [above + name],
  )
}

/** Returns the line of a message in its file. */
export function lineOf(text: string, names: readonly string[]): number {
  let at = 0
  for (const name of names) {
    const found = text.indexOf(JSON.stringify(name), at)
    if (found === -1) break
    at = found
  }
  return text.slice(0, at).split('\n').length
}

function compileTable(
  table: MessageTable,
  above: readonly string[],
  folder: string,
  locale: string,
): MessageTable {
  const compiled: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(table)) {
    const names = [...above, name]
    compiled[name] = isTable(value)
      ? compileTable(value, names, folder, locale)
      : compileOne(String(value), names, messageFile(folder, locale))
  }
  return compiled
}

function compileOne(message: string, names: readonly string[], file: string): unknown {
  try {
    return compile(message)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    const line = lineOf(readFileSync(file, 'utf8'), names)
    throw new MessageError(file, line, `${names.join('.')} isn't valid ICU syntax: ${reason}`)
  }
}

function checkTable(
  table: MessageTable,
  above: readonly string[],
  file: string,
  text: string,
): void {
  for (const [name, value] of Object.entries(table)) {
    const names = [...above, name]
    const fail = (reason: string) => new MessageError(file, lineOf(text, names), reason)
    if (name.includes('.')) {
      throw fail(`the key ${JSON.stringify(name)} contains a period, which separates groups`)
    }
    if (isTable(value)) checkTable(value, names, file, text)
    else if (typeof value !== 'string') throw fail(`${names.join('.')} isn't a string`)
  }
}
