import { createInterface, type Interface } from 'node:readline/promises'
import type { CreateOptions } from './arguments.ts'
import type { Target } from './target.ts'
import { findTemplate, type TemplateName, templates } from './templates.ts'
import type { Terminal } from './terminal.ts'

export type Answers = { readonly folder: string; readonly template: TemplateName }

/** The streams and checks that the questions need. */
export type Asking = {
  readonly terminal: Terminal
  readonly input: NodeJS.ReadableStream
  readonly output: NodeJS.WritableStream
  /** Checks a folder that the user has typed. */
  check(folder: string): Target
}

/**
 * Asks for the missing options, and repeats a question after an invalid answer.
 * @returns `null` when the user leaves with Ctrl+C or Ctrl+D
 */
export async function ask(options: CreateOptions, asking: Asking): Promise<Answers | null> {
  const { input, output } = asking
  const readline = createInterface({ input, output, historySize: 0 })
  const left = new AbortController()
  // Abort the question after Ctrl+C and Ctrl+D. Otherwise, it would stay pending forever.
  readline.on('SIGINT', () => left.abort())
  readline.on('close', () => left.abort())
  const question = async (text: string) =>
    (await readline.question(text, { signal: left.signal })).trim()
  try {
    const folder = options.folder ?? (await askFolder(question, asking))
    const template =
      options.template ??
      (await withArrows({ readline, input }, () => askTemplate(question, asking)))
    return { folder, template }
  } catch (error) {
    if (!left.signal.aborted) throw error
    return null
  } finally {
    readline.close()
  }
}

/** Makes the arrow keys Up and Down fill in template names while a question is open. */
async function withArrows<T>(
  { readline, input }: { readonly readline: Interface; readonly input: Asking['input'] },
  askIt: () => Promise<T>,
): Promise<T> {
  let index: number | null = null
  const write = (_text: unknown, { name }: { readonly name?: string }) => {
    if (name !== 'up' && name !== 'down') return
    const { length } = templates
    if (name === 'down') index = ((index ?? -1) + 1) % length
    else index = ((index ?? 0) + length - 1) % length
    // Send Ctrl+E and Ctrl+U, which clear the line.
    readline.write(null, { ctrl: true, name: 'e' })
    readline.write(null, { ctrl: true, name: 'u' })
    readline.write(templates[index]?.name ?? '')
  }
  input.on('keypress', write)
  try {
    return await askIt()
  } finally {
    input.off('keypress', write)
  }
}

type Question = (text: string) => Promise<string>

async function askFolder(question: Question, { terminal, check }: Asking): Promise<string> {
  for (;;) {
    const typed = (await question(`Folder for the app ${terminal.dim('(my-app)')}: `)) || 'my-app'
    const target = check(typed)
    if (target.kind === 'usable') return typed
    terminal.print(`${target.message}\n${target.hint}\n`)
  }
}

async function askTemplate(question: Question, { terminal }: Asking): Promise<TemplateName> {
  const width = Math.max(...templates.map(({ name }) => name.length))
  terminal.print('\nTemplates')
  templates.forEach(({ name, text }, index) => {
    terminal.print(`  ${index + 1}  ${name.padEnd(width)}  ${terminal.dim(text)}`)
  })
  for (;;) {
    const template = findTemplate(
      (await question(`Choose a template ${terminal.dim('(1)')}: `)) || '1',
    )
    if (template) return template
    terminal.print(`Enter a number from 1 to ${templates.length}, or a name.\n`)
  }
}
