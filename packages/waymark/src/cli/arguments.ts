import { isIP } from 'node:net'
import { parseArgs } from 'node:util'
import { readDigest } from '../journal/query.ts'
import {
  type CommandName,
  commandNames,
  describeCommand,
  describeOption,
  type OptionName,
  optionTable,
} from './commands.ts'
import { parseDuration } from './duration.ts'
import type { Terminal } from './terminal.ts'

/** The options given on a command line; what is left out is absent. */
export type GivenOptions = {
  /** The app's folder, from the working directory. */
  readonly folder?: string
  /** Of the servers that `doctor` asks. */
  readonly urls?: readonly string[]
  readonly port?: number
  readonly host?: string
  /** Milliseconds, as `drain-timeout`. */
  readonly 'drain-delay'?: number
  readonly 'drain-timeout'?: number
  /** Addresses, and ranges of them. */
  readonly 'trust-proxy'?: readonly string[]
  /** At least 1. */
  readonly workers?: number
  readonly 'exit-on-uncaught'?: boolean
  readonly mode?: string
  readonly static?: boolean
  readonly out?: string
  readonly 'allow-missing'?: boolean
  readonly target?: string
  /** Folders, from the working directory. */
  readonly 'assets-from'?: string
  readonly 'shared-assets'?: string
  /** Of `errors`, in the form that the journal uses. */
  readonly digest?: string
  readonly since?: string
  readonly route?: string
  readonly fingerprint?: string
  readonly group?: boolean
  readonly limit?: string
  readonly json?: boolean
  readonly verbose?: boolean
}

/** What a command line asks for. */
export type CommandLine =
  | { readonly kind: 'run'; readonly command: CommandName; readonly options: GivenOptions }
  | { readonly kind: 'help'; readonly command: CommandName | null }
  | { readonly kind: 'version' }
  /** It can't be understood; `hint` says what to do. */
  | { readonly kind: 'mistake'; readonly message: string; readonly hint: string }

/**
 * Reads a command line.
 * @param argv without the program's own name
 */
export function parseCommandLine(argv: readonly string[]): CommandLine {
  const [first, ...others] = argv
  if (first === undefined || first === '--help' || first === '-h') return help(null)
  if (first === '--version' || first === '-v') return { kind: 'version' }
  if (first === 'help') return help(isCommand(others[0]) ? others[0] : null)
  if (first.startsWith('-')) {
    return mistake(`${first} stands before a command.`, 'Put the command first: waymark dev')
  }
  if (!isCommand(first)) return unknownCommand(first)
  return parseOptions(first, others)
}

/**
 * Reads a port.
 * @returns `null` for what is none
 */
export function parsePort(text: string): number | null {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN
  return port <= 65535 ? port : null
}

type Token = ReturnType<typeof tokensOf>[number]
type Draft = Record<string, string | number | boolean | readonly string[]>

function parseOptions(command: CommandName, argv: readonly string[]): CommandLine {
  const draft: Draft = {}
  for (const token of tokensOf(argv)) {
    if (token.kind === 'option' && (token.name === 'help' || token.name === 'h'))
      return help(command)
    const problem = takeToken(token, command, draft)
    if (problem) return problem
  }
  return { kind: 'run', command, options: draft as GivenOptions }
}

// Not strict: the platform's own messages name neither the command nor what was meant.
function tokensOf(argv: readonly string[]) {
  const options = Object.fromEntries(
    Object.entries(optionTable).map(([name, option]) => [
      name,
      { type: 'value' in option ? ('string' as const) : ('boolean' as const) },
    ]),
  )
  const parsed = parseArgs({
    args: [...argv],
    options,
    strict: false,
    allowPositionals: true,
    tokens: true,
  })
  return parsed.tokens
}

function takeToken(token: Token, command: CommandName, draft: Draft): CommandLine | null {
  switch (token.kind) {
    case 'option-terminator':
      return null
    case 'positional':
      return takeOperand(token.value, command, draft)
    case 'option': {
      const known = describeCommand(command).options
      const name = known.find((option) => option === token.name)
      return name ? takeOption(name, token.value, draft) : unknownOption(token.rawName, command)
    }
  }
}

function takeOperand(value: string, command: CommandName, draft: Draft): CommandLine | null {
  const digest = command === 'errors' && draft.digest === undefined ? readDigest(value) : null
  if (digest !== null) {
    draft.digest = digest
    return null
  }
  if (command === 'doctor') {
    if (!/^https?:\/\/[^/]/.test(value)) {
      return mistake(`${value} is no URL of a server.`, 'Write it whole: http://10.0.0.1:3000')
    }
    draft.urls = [...((draft.urls as readonly string[] | undefined) ?? []), value]
    return null
  }
  if (draft.folder !== undefined) {
    const { operands = '[folder]' } = describeCommand(command)
    return mistake(
      `${value} is one folder too many.`,
      `Usage: waymark ${command} ${operands} [options]`,
    )
  }
  draft.folder = value
  return null
}

function takeOption(name: OptionName, value: string | undefined, draft: Draft): CommandLine | null {
  const { value: needed } = describeOption(name)
  if (needed === undefined) {
    if (value !== undefined) return mistake(`--${name} takes no value.`, `Write --${name}.`)
    draft[name] = true
    return null
  }
  if (value === undefined || value === '' || value.startsWith('-')) {
    return mistake(`--${name} needs a ${needed}.`, `Write --${name} <${needed}>.`)
  }
  const reader = valueReaders[name]
  const read = reader ? reader.parse(value) : value
  if (read === null) return mistake(`${value} is no ${reader?.noun}.`, reader?.hint ?? '')
  draft[name] = read
  return null
}

type ValueReader = {
  /** @returns `null` for what is none */
  readonly parse: (text: string) => number | readonly string[] | null
  readonly noun: string
  readonly hint: string
}

const duration: ValueReader = {
  parse: parseDuration,
  noun: 'duration',
  hint: 'A duration is a number and its unit, such as 10s or 2m.',
}

/** Options whose value is more than a text. */
const valueReaders: Partial<Record<OptionName, ValueReader>> = {
  port: { parse: parsePort, noun: 'port', hint: 'A port is a number from 0 to 65535.' },
  workers: {
    parse: (text) => (/^[1-9]\d{0,2}$/.test(text) ? Number(text) : null),
    noun: 'number of workers',
    hint: 'It is a number from 1 to 999; one for each core is a good start.',
  },
  'trust-proxy': {
    parse: parseProxies,
    noun: 'list of addresses',
    hint: 'Write addresses and ranges, separated by commas: 10.0.0.0/8,::1; or loopback, or private.',
  },
  'drain-delay': duration,
  'drain-timeout': duration,
}

function unknownCommand(given: string): CommandLine {
  const nearest = nearestName(given, commandNames)
  const hint = nearest
    ? `Did you mean waymark ${nearest}?`
    : `There are ${commandNames.join(', ')}.`
  return mistake(`There is no command ${given}.`, hint)
}

function unknownOption(given: string, command: CommandName): CommandLine {
  const names = describeCommand(command).options
  const nearest = nearestName(given.replace(/^-+/, ''), names)
  const hint = nearest ? `Did you mean --${nearest}?` : `See waymark ${command} --help.`
  return mistake(`waymark ${command} has no option ${given}.`, hint)
}

function isCommand(name: string | undefined): name is CommandName {
  return commandNames.some((command) => command === name)
}

function help(command: CommandName | null): CommandLine {
  return { kind: 'help', command }
}

function mistake(message: string, hint: string): CommandLine {
  return { kind: 'mistake', message, hint }
}

/**
 * Finds the name that someone probably meant.
 * @returns `null` when none is near
 */
export function nearestName<Name extends string>(
  given: string,
  names: readonly Name[],
): Name | null {
  let nearest: Name | null = null
  let least = Math.ceil(given.length / 3) + 1
  for (const name of names) {
    const distance = name.startsWith(given) && given.length > 1 ? 0 : editDistance(given, name)
    if (distance >= least) continue
    least = distance
    nearest = name
  }
  return nearest
}

/** Letters to insert, delete or replace (Levenshtein), one row of the table at a time. */
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

const loopback = ['127.0.0.0/8', '::1']
const ofPrivateNetworks = [
  ...['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '169.254.0.0/16'],
  ...['fc00::/7', 'fe80::/10'],
]
const words = new Map<string, readonly string[]>([
  ['loopback', loopback],
  ['private', [...loopback, ...ofPrivateNetworks]],
])

/**
 * Reads which proxies are trusted: addresses, ranges such as `10.0.0.0/8`, or the words `loopback`
 * and `private`, separated by commas.
 * @returns addresses and ranges; `null` for what is neither
 */
export function parseProxies(text: string): readonly string[] | null {
  const ranges: string[] = []
  for (const entry of text.split(',').map((each) => each.trim())) {
    const named = words.get(entry)
    if (named === undefined && !isRange(entry)) return null
    ranges.push(...(named ?? [entry]))
  }
  return ranges
}

function isRange(entry: string): boolean {
  const [address = '', bits, ...rest] = entry.split('/')
  const family = isIP(address)
  if (family === 0 || rest.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128))
}

/** What a command is run with. */
export type CommandInput = { readonly options: GivenOptions; readonly terminal: Terminal }

/** @returns the exit code, once the command is done; one that serves stays */
export type Command = (input: CommandInput) => Promise<number>
