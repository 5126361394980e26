import { parseArgs } from 'node:util'
import { parseDigest } from '../journal/query.ts'
import { waymarkVersion } from '../node/appPackages.ts'
import type {
  OptionDescription,
  OptionTable,
  PackageOptions,
  ParsedOptions,
} from './commandOptions.ts'
import {
  type CommandDescription,
  type CommandList,
  commandHelp,
  generalHelp,
  missingCommand,
} from './commands.ts'
import { failCommand, processTerminal, type Terminal } from './terminal.ts'

export type CommandLine =
  | { readonly kind: 'run'; readonly options: object }
  /** Help for one command. */
  | { readonly kind: 'help'; readonly text: string }
  | { readonly kind: 'general-help' }
  | { readonly kind: 'version' }
  /** An invalid command line. `hint` says how to correct it. */
  | { readonly kind: 'mistake'; readonly message: string; readonly hint: string }

/**
 * A command's function.
 *
 * @returns the exit code; a command that serves doesn't return
 */
export type Command<Options = ParsedOptions> = (input: CommandInput<Options>) => Promise<number>

export type CommandInput<Options = ParsedOptions> = {
  readonly options: Options
  readonly terminal: Terminal
}

export type PackageCommandInput<Options> = CommandInput<Options> & {
  /** The package's `options` in the Vite configuration, after conversion to JSON and back. */
  readonly packageOptions: Readonly<Record<string, unknown>>
}

/** A package's command. The module in `ListedCommand` exports it under the command's name. */
export type PackageCommand<Table extends OptionTable = OptionTable> = CommandDescription<Table> & {
  /** @returns the exit code */
  readonly run: (input: PackageCommandInput<PackageOptions<Table>>) => Promise<number>
}

/** A loaded command, with a function that accepts the options it describes. */
export type LoadedCommand = CommandDescription & { readonly run: Command<never> }

/** Finds and lists the commands of the command line. */
export type CommandSource = {
  /** @returns `null` if neither Waymark nor a listed package has the command */
  find(name: string, args: readonly string[]): LoadedCommand | null | Promise<LoadedCommand | null>
  /** Lists the commands of packages, for the help. */
  list(): Promise<CommandList>
}

/**
 * Runs a command line.
 *
 * @param argv arguments without the program's name
 * @param adaptName replaces the program's name in help texts and hints
 * @returns the exit code: 0 for success, 1 for failure, 2 for an invalid command line
 */
export async function runCommandLine(
  argv: readonly string[],
  { find, list }: CommandSource,
  adaptName: (help: string) => string = (help) => help,
): Promise<number> {
  const terminal = processTerminal()
  try {
    const name = commandIn(argv)
    let command: LoadedCommand | null = null
    try {
      command = name === null ? null : await find(name, argv.slice(1))
    } catch (thrown) {
      if (!asksForHelp(argv)) throw thrown
      terminal.print(adaptName(generalHelp([])))
      terminal.fail(configurationFailure(thrown))
      return 1
    }
    const line = parseCommandLine(argv, command)
    switch (line.kind) {
      case 'version':
        terminal.print(waymarkVersion())
        return 0
      case 'help':
        terminal.print(adaptName(line.text))
        return 0
      case 'general-help':
        await printGeneralHelp(terminal, list, adaptName)
        return 0
      case 'mistake':
        terminal.fail(line.message, adaptName(line.hint))
        return 2
      case 'run':
        // The options were parsed with this command's description, so their types match.
        return (await command?.run({ options: line.options as never, terminal })) ?? 2
    }
  } catch (thrown) {
    return failCommand(terminal, thrown)
  }
}

/**
 * Prints the general help, even if the configuration, which lists the packages with commands, is
 * broken.
 */
async function printGeneralHelp(
  terminal: Terminal,
  list: CommandSource['list'],
  adaptName: (help: string) => string,
): Promise<void> {
  try {
    terminal.print(adaptName(generalHelp(await list())))
  } catch (thrown) {
    terminal.print(adaptName(generalHelp([])))
    terminal.fail(configurationFailure(thrown))
  }
}

/**
 * Describes a configuration failure in one line. Uses the first of `errors`, because a bundler's
 * own message only counts them.
 */
function configurationFailure(thrown: unknown): string {
  const [first = thrown] = (thrown as { readonly errors?: readonly unknown[] } | null)?.errors ?? []
  const message = first instanceof Error ? first.message : String(first)
  const [line = ''] = message.trim().split('\n', 1)
  return `The Vite configuration failed to load, so package commands aren't listed: ${line}`
}

const helpWords = ['help', '--help', '-h']

function asksForHelp(argv: readonly string[]): boolean {
  const end = argv.indexOf('--')
  const words = end < 0 ? argv : argv.slice(0, end)
  return argv[0] === 'help' || words.includes('--help') || words.includes('-h')
}

/** Returns the command that a command line runs, or asks for help with. */
export function commandIn([first, second]: readonly string[]): string | null {
  const name = first !== undefined && helpWords.includes(first) ? second : first
  return name === undefined || name.startsWith('-') ? null : name
}

/**
 * Parses a command line.
 *
 * @param argv arguments without the program's name
 * @param description the command's description, if the command exists
 */
export function parseCommandLine(
  argv: readonly string[],
  description: CommandDescription | null,
): CommandLine {
  const [first = 'help', ...args] = argv
  const command = commandIn(argv)
  if (first === '--version' || first === '-v') return { kind: 'version' }
  if (helpWords.includes(first)) {
    if (command === null) return { kind: 'general-help' }
    if (description === null) return { kind: 'mistake', ...missingCommand(command) }
    return { kind: 'help', text: commandHelp(command, description) }
  }
  if (command === null) {
    const hint = 'Write the command first: waymark build --types.'
    return { kind: 'mistake', message: `The option ${first} must come after the command.`, hint }
  }
  if (description === null) return { kind: 'mistake', ...missingCommand(command) }
  try {
    return parseCommand(command, description, args)
  } catch (thrown) {
    if (thrown instanceof Mistake) {
      return { kind: 'mistake', message: thrown.message, hint: thrown.hint }
    }
    const { message, code } = thrown as NodeJS.ErrnoException
    if (!code?.startsWith('ERR_PARSE_ARGS')) throw thrown
    return { kind: 'mistake', message, hint: `See waymark ${first} --help.` }
  }
}

/** Thrown for an invalid command line. */
class Mistake extends Error {
  readonly hint: string
  constructor(message: string, hint: string) {
    super(message)
    this.hint = hint
  }
}

function parseCommand(
  command: string,
  description: CommandDescription,
  args: string[],
): CommandLine {
  rejectConfigured(command, description, args)
  const table = Object.entries(description.options)
  const types = table.map(([name, { value, separator }]) => {
    const type = value ? ('string' as const) : ('boolean' as const)
    return [name, { type, multiple: separator !== undefined }]
  })
  const { values, positionals } = parseArgs({
    args,
    options: { ...Object.fromEntries(types), help: { type: 'boolean', short: 'h' } },
    allowPositionals: description.operands !== '',
  })
  const { help, ...optionValues } = values as Readonly<Record<string, string | boolean | string[]>>
  if (help) return { kind: 'help', text: commandHelp(command, description) }
  const parsed = table
    .filter(([name]) => optionValues[name] !== undefined)
    .map(([name, option]) => [name, readValue(name, option, optionValues[name])])
  const operands = readOperands(command, description, positionals)
  return { kind: 'run', options: { ...operands, ...Object.fromEntries(parsed) } }
}

/** @throws `Mistake` for an option that belongs in the Vite configuration */
function rejectConfigured(
  command: string,
  { configured = {} }: CommandDescription,
  args: readonly string[],
): void {
  const end = args.indexOf('--')
  const options = end < 0 ? args : args.slice(0, end)
  const name = Object.keys(configured).find((each) =>
    options.some((arg) => arg === `--${each}` || arg.startsWith(`--${each}=`)),
  )
  if (name === undefined) return
  const message = `waymark ${command} has no option --${name}. Set the host in the Vite configuration.`
  throw new Mistake(message, `Add to vite.config.ts: ${configured[name]}.`)
}

/** @throws `Mistake` */
function readValue(name: string, option: OptionDescription, input: unknown): unknown {
  const { value, parse, valid = '', separator } = option
  if (Array.isArray(input)) return readValue(name, option, input.join(separator))
  if (typeof input !== 'string') return input
  if (input === '') throw new Mistake(`--${name} needs a value: ${value}.`, valid)
  const parsed = parse ? parse(input) : input
  if (parsed === null) throw new Mistake(`--${name} can't be ${input}.`, valid)
  return parsed
}

/**
 * Reads the arguments that aren't options.
 *
 * @throws `Mistake`
 */
function readOperands(
  command: string,
  { operands: usage = '[folder]' }: CommandDescription,
  positionals: readonly string[],
): object {
  const operands = [...positionals]
  const readFolder = ([folder, unexpected]: readonly string[]) => {
    if (unexpected === undefined) return folder === undefined ? {} : { folder }
    throw new Mistake(
      `Unexpected argument ${unexpected}.`,
      `Usage: waymark ${command} ${usage} [options]`,
    )
  }
  // Users may write a digest after the folder, although it comes first in the usage of `errors` and
  // `replay`.
  if (/^[<[]digest[\]>]/.test(usage)) {
    const at = operands.findIndex((text) => parseDigest(text) !== null)
    const [text = ''] = at < 0 ? [] : operands.splice(at, 1)
    const digest = parseDigest(text)
    return { ...(digest !== null && { digest }), ...readFolder(operands) }
  }
  return usage === '[folder]' ? readFolder(operands) : { operands }
}
