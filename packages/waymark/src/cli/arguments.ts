import { parseArgs } from 'node:util'
import { readDigest } from '../journal/query.ts'
import { waymarkVersion } from '../node/appPackages.ts'
import { allOptions, type GivenOptions } from './commandOptions.ts'
import {
  allCommands,
  type CommandName,
  commandHelp,
  commandNames,
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
  const [first = 'help', ...others] = argv
  const [second] = others
  if (first === '--version' || first === '-v') return { kind: 'version' }
  if (['help', '--help', '-h'].includes(first)) {
    return { kind: 'help', command: isCommand(second) ? second : null }
  }
  try {
    if (isCommand(first)) return parseCommand(first, others)
    const message = first.startsWith('-')
      ? `${first} comes before a command.`
      : `There is no command ${first}.`
    throw new Mistake(message, `The commands are ${commandNames.join(', ')}.`)
  } catch (thrown) {
    if (thrown instanceof Mistake) {
      return { kind: 'mistake', message: thrown.message, hint: thrown.hint }
    }
    const { message, code } = thrown as NodeJS.ErrnoException
    if (!code?.startsWith('ERR_PARSE_ARGS')) throw thrown
    return { kind: 'mistake', message, hint: `See waymark ${first} --help.` }
  }
}

function isCommand(name: string | undefined): name is CommandName {
  return commandNames.some((command) => command === name)
}

/** A command line that can't be run. */
class Mistake extends Error {
  readonly hint: string
  constructor(message: string, hint: string) {
    super(message)
    this.hint = hint
  }
}

function parseCommand(command: CommandName, args: string[]): CommandLine {
  const names = allCommands[command].options
  const types = names.map((name) => {
    return [name, { type: allOptions[name].value ? ('string' as const) : ('boolean' as const) }]
  })
  const { values, positionals } = parseArgs({
    args,
    options: { ...Object.fromEntries(types), help: { type: 'boolean', short: 'h' } },
    allowPositionals: true,
  })
  const { help, ...given } = values as Readonly<Record<string, string | boolean>>
  if (help) return { kind: 'help', command }
  const parsed = names
    .filter((name) => given[name] !== undefined)
    .map((name) => [name, readValue(name, given[name])])
  const options = { ...readOperands(command, positionals), ...Object.fromEntries(parsed) }
  return { kind: 'run', command, options }
}

/** @throws `Mistake` */
function readValue(name: keyof typeof allOptions, given: unknown): unknown {
  if (typeof given !== 'string') return given
  const { value, parse, valid = '' } = allOptions[name]
  if (given === '') throw new Mistake(`--${name} needs a ${value}.`, valid)
  const parsed = parse ? parse(given) : given
  if (parsed === null) throw new Mistake(`--${name} can't be ${given}.`, valid)
  return parsed
}

/**
 * Reads what stands beside the options.
 * @throws `Mistake`
 */
function readOperands(command: CommandName, given: readonly string[]): GivenOptions {
  const operands = [...given]
  switch (command) {
    case 'doctor': {
      const wrong = operands.find((url) => !/^https?:\/\/[^/]/.test(url))
      if (wrong !== undefined) {
        throw new Mistake(`${wrong} is not the URL of a server.`, 'Write http://10.0.0.1:3000')
      }
      return operands.length > 0 ? { urls: operands } : {}
    }
    case 'assets': {
      const [task, destination, ...folders] = operands
      if (task !== undefined && task !== 'push') {
        const message = `There is nothing called ${task} to do with assets.`
        throw new Mistake(message, 'Write: waymark assets push <folder or s3://bucket>')
      }
      return {
        ...(task && { task }),
        ...(destination && { destination }),
        ...readFolder(command, folders),
      }
    }
    case 'errors': {
      const at = operands.findIndex((text) => readDigest(text) !== null)
      const [text = ''] = at < 0 ? [] : operands.splice(at, 1)
      const digest = readDigest(text)
      return { ...(digest !== null && { digest }), ...readFolder(command, operands) }
    }
    default:
      return readFolder(command, operands)
  }
}

function readFolder(
  command: CommandName,
  [folder, unexpected]: readonly string[],
): { readonly folder?: string } {
  if (unexpected !== undefined) {
    const { operands = '[folder]' } = allCommands[command]
    throw new Mistake(
      `Unexpected ${unexpected}.`,
      `Usage: waymark ${command} ${operands} [options]`,
    )
  }
  return folder === undefined ? {} : { folder }
}
