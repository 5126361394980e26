import { readFileSync } from 'node:fs'
import { type CreateOptions, helpText, parseCommandLine } from './arguments.ts'
import { createApp } from './createApp.ts'
import { exitCodes, type Host } from './host.ts'
import { type Answers, ask } from './prompts.ts'
import { checkTarget, type NameProblem, type Target } from './target.ts'
import { templatePackages, templates } from './templates.ts'
import { createTerminal, type Terminal } from './terminal.ts'

/**
 * Runs a command line.
 * @param argv without the program's own name
 * @returns one of `exitCodes`
 */
export async function run(argv: readonly string[], host: Host): Promise<number> {
  const terminal = createTerminal(host)
  const line = parseCommandLine(argv, host.env)
  switch (line.kind) {
    case 'help':
      terminal.print(helpText())
      return exitCodes.done
    case 'version':
      terminal.print(packageVersion())
      return exitCodes.done
    case 'mistake':
      return refuse(line, terminal)
    case 'create':
      return create(line.options, host, terminal)
  }
}

async function create(options: CreateOptions, host: Host, terminal: Terminal): Promise<number> {
  const reservedNames = templatePackages()
  const check = (folder: string) => checkTarget(folder, host.cwd, reservedNames)
  // Check a folder from the command line before asking any question.
  const typedTarget = options.folder === null ? null : check(options.folder)
  if (typedTarget?.kind === 'refused') return refuse(typedTarget, terminal)

  const answers = await answersFor({ options, check }, host, terminal)
  if (typeof answers === 'number') return answers
  const target = check(answers.folder)
  if (target.kind === 'refused') return refuse(target, terminal)
  return createApp({ options, target, template: answers.template }, host, terminal)
}

async function answersFor(
  { options, check }: { options: CreateOptions; check: (folder: string) => Target },
  { stdin, stdout }: Host,
  terminal: Terminal,
): Promise<Answers | number> {
  const { folder, template, yes } = options
  const canAsk = !yes && stdin.isTTY === true && stdout.isTTY === true
  if (canAsk && (folder === null || template === null)) {
    const answers = await ask(options, { terminal, input: stdin, output: stdout, check })
    if (answers) return answers
    terminal.fail('\nStopped. No files were written.')
    return exitCodes.stopped
  }
  if (folder === null && !yes) {
    const hint = 'Run npm create waymark@latest my-app.'
    return refuse({ message: 'No folder was given.', hint }, terminal)
  }
  return { folder: folder ?? 'my-app', template: template ?? templates[0].name }
}

function refuse({ message, hint }: NameProblem, terminal: Terminal): number {
  terminal.fail(message, hint)
  return exitCodes.mistake
}

function packageVersion(): string {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8')
  return (JSON.parse(text) as { version: string }).version
}
