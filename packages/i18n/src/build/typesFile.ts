import { isTable, type MessageTable } from '../shared/usedMessages.ts'

/** Name of the generated file in the app's root. */
export const typesFileName = 'waymark-i18n.d.ts'

/** Generates the declarations of an app's languages and of its messages in the default language. */
export function typesFile(
  locales: readonly string[],
  messages: MessageTable,
  folder: string,
): string {
  return `// Written by Waymark from ${folder}/. Changes are overwritten.
import '@waymark/i18n'

declare module '@waymark/i18n' {
  interface AppI18n {
    locale: ${locales.map((locale) => JSON.stringify(locale)).join(' | ')}
    messages: ${tableType(messages, '    ')}
  }
}
`
}

function tableType(table: MessageTable, indent: string): string {
  const members = Object.entries(table).map(([name, value]) => {
    const type = isTable(value) ? tableType(value, `${indent}  `) : JSON.stringify(value)
    return `${indent}  ${JSON.stringify(name)}: ${type}\n`
  })
  return `{\n${members.join('')}${indent}}`
}
