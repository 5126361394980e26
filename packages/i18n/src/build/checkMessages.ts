import { isTable, type MessageTable, messageAt } from '../shared/usedMessages.ts'
import { argumentsOf, missingForms } from './messageArguments.ts'
import { keysOf, type MessageFile } from './messageFiles.ts'
import { listed, type Problem, shortPath } from './problem.ts'

/**
 * Compares the messages of other languages with the messages of the default language.
 * @param files the first is in the default language
 */
export function checkMessages(files: readonly MessageFile[], root: string): Problem[] {
  const [base, ...others] = files
  if (!base) return []
  return [
    ...findMissing(base, others, root),
    ...others.flatMap((other) => [
      ...findUnknown(other, base, root),
      ...findOtherArguments(other, base, root),
    ]),
    ...files.flatMap(findMissingForms),
  ]
}

/** Finds messages that the default language has and others lack. */
function findMissing(base: MessageFile, others: readonly MessageFile[], root: string): Problem[] {
  const missing = new Map<string, { names: readonly string[]; files: string[] }>()
  for (const { file, table } of others) {
    for (const names of namesOnlyIn(base.table, table)) {
      const key = names.join('.')
      const found = missing.get(key) ?? { names, files: [] }
      found.files.push(shortPath(file, root))
      missing.set(key, found)
    }
  }
  return [...missing.values()].map(({ names, files }) => ({
    file: base.file,
    line: base.lineOf(names),
    text: `${describe(base.table, names)} is missing in ${listed(files)}.`,
  }))
}

/** Finds messages that the default language lacks. */
function findUnknown(other: MessageFile, base: MessageFile, root: string): Problem[] {
  return namesOnlyIn(other.table, base.table).map((names) => ({
    file: other.file,
    line: other.lineOf(names),
    text: `${describe(other.table, names)} isn't in ${shortPath(base.file, root)}. Add it there, or delete it.`,
  }))
}

function findOtherArguments(other: MessageFile, base: MessageFile, root: string): Problem[] {
  return keysOf(other.table).flatMap((key) => {
    const message = messageAt(other.compiled, key)
    const expected = messageAt(base.compiled, key)
    if (expected === undefined || isTable(expected)) return []
    const has = argumentsOf(message).names
    const needs = argumentsOf(expected).names
    const lacking = [...needs].filter((name) => !has.has(name))
    const added = [...has].filter((name) => !needs.has(name))
    if (lacking.length + added.length === 0) return []
    const lacks = lacking.length > 0 && `lacks ${listed(lacking)}`
    const hasMore = added.length > 0 && `has ${listed(added)}`
    const difference = [lacks, hasMore].filter(Boolean).join(' and ')
    const text = `${key} ${difference}, unlike the message in ${shortPath(base.file, root)}.`
    return [{ file: other.file, line: other.lineOf(key.split('.')), text }]
  })
}

function findMissingForms({ table, compiled, locale, file, lineOf }: MessageFile): Problem[] {
  return keysOf(table).flatMap((key) =>
    argumentsOf(messageAt(compiled, key)).plurals.flatMap((each) => {
      const missing = missingForms(each, locale)
      if (missing.length === 0) return []
      const forms = listed(missing.map(({ category }) => category))
      const numbers = listed(missing.map(({ number }) => String(number)))
      const language = new Intl.DisplayNames('en', { type: 'language' }).of(locale) ?? locale
      const text = `${key} lacks the plural ${missing.length === 1 ? 'form' : 'forms'} ${forms} of {${each.name}}, which ${language} needs for numbers such as ${numbers}.`
      return [{ file, line: lineOf(key.split('.')), text }]
    }),
  )
}

/** Lists the names of messages, and of whole groups, that only the first table has. */
function namesOnlyIn(table: MessageTable, other: MessageTable): readonly string[][] {
  return Object.entries(table).flatMap(([name, value]) => {
    const counterpart = Object.hasOwn(other, name) ? other[name] : undefined
    if (isTable(value) && isTable(counterpart)) {
      return namesOnlyIn(value, counterpart).map((names) => [name, ...names])
    }
    const isInBoth = counterpart !== undefined && isTable(value) === isTable(counterpart)
    return isInBoth ? [] : [[name]]
  })
}

function describe(table: MessageTable, names: readonly string[]): string {
  const key = names.join('.')
  const value = messageAt(table, key)
  if (!isTable(value)) return key
  const count = keysOf(value).length
  return `the group ${key} with ${count === 1 ? 'one message' : `${count} messages`}`
}
