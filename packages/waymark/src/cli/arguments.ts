import { parseArgs } from 'node:util'
import { readDigest } from '../journal/query.ts'
import { waymarkVersion } from '../node/appPackages.ts'
import {
  allCommands,
  allOptions,
  type CommandName,
  commandHelp,
  commandNames,
  type GivenOptions,
  generalHelp,
} from './commands.ts'
import { failCommand, processTerminal, type Terminal } from './terminal.ts'

export type CommandLine =
  | { readonly kind: 'run'; readonly command: CommandName; readonly options: GivenOptions }
  | { readonly kind: 'help'; readonly command: CommandName | null }
  | { readonly kind: 'version' }
  /** `hint` says how to correct the command line. */
  | { readonly kind: 'mistake'; readonly message: string; readonly hint: string }

/** @returns the exit code; a command that serves does not return */
export type Command = (input: CommandInput) => Promise<number>

export type CommandInput = { readonly options: GivenOptions; readonly terminal: Terminal }

type Mistake = Extract<CommandLine, { kind: 'mistake' }>
type Draft = { -readonly [Name in keyof GivenOptions]: GivenOptions[Name] }
type Token = ReturnType<typeof tokensOf>[number]

/**
 * @param argv without the program's name
 * @param load loads a command
 * @param adaptHelp for a program of another name
 * @returns the exit code: 0 done, 1 failed, 2 invalid command line
 */
export async function runCommandLine(
  argv: readonly string[],
  load: (name: CommandName) => Promise<Command>,
  adaptHelp: (help: string) => string = (help) => help,
): Promise<number> {
  const terminal = processTerminal()
  const line = parseCommandLine(argv)
  try {
    switch (line.kind) {
      case 'version':
        terminal.print(waymarkVersion())
        return 0
      case 'help':
        terminal.print(adaptHelp(line.command ? commandHelp(line.command) : generalHelp()))
        return 0
      case 'mistake':
        terminal.fail(line.message, line.hint)
        return 2
      case 'run':
        return await (await load(line.command))({ options: line.options, terminal })
    }
  } catch (thrown) {
    return failCommand(terminal, thrown)
  }
}

/** @param argv without the program's name */
export function parseCommandLine(argv: readonly string[]): CommandLine {
  const [first, ...others] = argv
  if (first === undefined || first === '--help' || first === '-h') return help(null)
  if (first === '--version' || first === '-v') return { kind: 'version' }
  if (first === 'help') return help(isCommand(others[0]) ? others[0] : null)
  if (first.startsWith('-')) {
    return mistake(`${first} comes before a command.`, 'Write the command first: waymark dev')
  }
  if (!isCommand(first)) {
    const nearest = nearestName(first, commandNames)
    const hint = nearest
      ? `Did you mean waymark ${nearest}?`
      : `The commands are ${commandNames.join(', ')}.`
    return mistake(`There is no command ${first}.`, hint)
  }
  const draft: Draft = {}
  for (const token of tokensOf(others)) {
    if (token.kind === 'option-terminator') continue
    if (token.kind === 'option' && ['help', 'h'].includes(token.name)) return help(first)
    const problem =
      token.kind === 'positional'
        ? readOperand(token.value, first, draft)
        : readOption(token, first, draft)
    if (problem) return problem
  }
  return { kind: 'run', command: first, options: draft }
}

// Not strict, because Node's own errors name neither the command nor the nearest option.
function tokensOf(argv: readonly string[]) {
  const options = Object.fromEntries(
    Object.entries(allOptions).map(([name, { value }]) => {
      return [name, { type: value ? ('string' as const) : ('boolean' as const) }]
    }),
  )
  return parseArgs({ args: [...argv], options, strict: false, tokens: true }).tokens
}

function readOperand(value: string, command: CommandName, draft: Draft): Mistake | null {
  const digest = command === 'errors' && draft.digest === undefined ? readDigest(value) : null
  if (digest !== null) draft.digest = digest
  else if (command === 'doctor') {
    if (!/^https?:\/\/[^/]/.test(value)) {
      return mistake(`${value} is not the URL of a server.`, 'Write http://10.0.0.1:3000')
    }
    draft.urls = [...(draft.urls ?? []), value]
  } else if (command === 'assets' && draft.task === undefined) {
    if (value !== 'push') {
      const message = `There is nothing called ${value} to do with assets.`
      return mistake(message, 'Write: waymark assets push <folder or s3://bucket>')
    }
    draft.task = value
  } else if (command === 'assets' && draft.destination === undefined) draft.destination = value
  else if (draft.folder === undefined) draft.folder = value
  else {
    const { operands = '[folder]' } = allCommands[command]
    return mistake(`Unexpected ${value}.`, `Usage: waymark ${command} ${operands} [options]`)
  }
  return null
}

function readOption(
  token: Extract<Token, { kind: 'option' }>,
  command: CommandName,
  draft: Draft,
): Mistake | null {
  const names = allCommands[command].options
  const name = names.find((each) => each === token.name)
  if (!name) {
    const nearest = nearestName(token.rawName.replace(/^-+/, ''), names)
    const hint = nearest ? `Did you mean --${nearest}?` : `See waymark ${command} --help.`
    return mistake(`waymark ${command} has no option ${token.rawName}.`, hint)
  }
  const { value: noun, parser } = allOptions[name]
  const { value = '' } = token
  if (noun === undefined && token.value !== undefined) {
    return mistake(`--${name} takes no value.`, `Write --${name}.`)
  }
  if (noun !== undefined && (value === '' || value.startsWith('-'))) {
    return mistake(`--${name} needs a ${noun}.`, `Write --${name} <${noun}>.`)
  }
  const parsed = parser ? parser.parse(value) : noun === undefined || value
  if (parsed === null)
    return mistake(`${value} is not a valid ${parser?.noun}.`, parser?.hint ?? '')
  Object.assign(draft, { [name]: parsed })
  return null
}

function isCommand(name: string | undefined): name is CommandName {
  return commandNames.some((command) => command === name)
}

function help(command: CommandName | null): CommandLine {
  return { kind: 'help', command }
}

function mistake(message: string, hint: string): Mistake {
  return { kind: 'mistake', message, hint }
}

/** @returns the name that was probably meant; `null` without a similar one */
export function nearestName<Name extends string>(
  given: string,
  names: readonly Name[],
): Name | null {
  const isBegun = (name: string) => given.length > 1 && name.startsWith(given)
  const [nearest] = names
    .map((name) => ({ name, distance: isBegun(name) ? 0 : editDistance(given, name) }))
    .filter(({ distance }) => distance <= Math.ceil(given.length / 3))
    .sort((a, b) => a.distance - b.distance)
  return nearest?.name ?? null
}

/** Levenshtein distance, one row of the table at a time. */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (let i = 1; i <= from.length; i++) {
    const next = [i]
    for (let j = 1; j <= to.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1)
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[to.length] ?? 0
}
