import { createIsTrustedPeer } from '../node/request.ts'

/** A flag has no `value`; without `parse` the value is a text. */
export type OptionDescription = {
  /** Name of the value in the help. */
  readonly value?: string
  /** @returns `null` for an invalid value */
  readonly parse?: (text: string) => unknown
  /** Joins the values of an option that may be given again. */
  readonly separator?: string
  /** Says what is valid. */
  readonly valid?: string
  readonly text: string
}

/** Options by name. */
export type OptionTable = Readonly<Record<string, OptionDescription>>

const duration = {
  value: 'duration',
  /** To milliseconds. */
  parse: parseDuration,
  valid: 'A duration is a number with a unit, such as 10s, 2m, 1h or 7d.',
}

/**
 * Options that several commands have, with one meaning each: `--since 7d` (milliseconds),
 * `--route /blog/[slug]`, `--mode staging`, `--json`.
 */
export const sharedOptions = {
  since: { ...duration, text: 'Only those of the last 30m, 1h, 7d.' },
  route: { value: 'pattern', text: 'Only this route, such as /blog/[slug].' },
  mode: { value: 'name', text: 'Which .env files to load besides .env. Default: {mode}.' },
  json: { text: 'Print JSON.' },
} as const satisfies OptionTable

export const coreOptions = {
  ...sharedOptions,
  port: {
    value: 'number',
    parse: parsePort,
    valid: 'A port is a number from 0 to 65535.',
    text: 'Port to listen on. Default: PORT, else 3000.',
  },
  host: { value: 'name', text: 'Address to listen on; 0.0.0.0 means all. Default: HOST.' },
  workers: {
    value: 'number',
    parse: (text) => (/^[1-9]\d{0,2}$/.test(text) ? Number(text) : null),
    valid: 'Use a number from 1 to 999. One for each core is a good start.',
    text: 'Number of processes that serve the app. Default: 1.',
  },
  'trust-proxy': {
    value: 'addresses',
    parse: parseProxies,
    valid: 'Write addresses and ranges with commas: 10.0.0.0/8,::1; or loopback, or private.',
    text: 'Trusted proxies: 10.0.0.0/8,::1, loopback or private.',
  },
  'drain-delay': {
    ...duration,
    text: 'Time to keep serving, as not ready, after SIGTERM. Default: 0s.',
  },
  'drain-timeout': {
    ...duration,
    text: 'Time that running requests then have to finish. Default: 10s.',
  },
  log: {
    value: 'form',
    parse: (text) => (text === 'json' ? text : null),
    valid: 'Write --log json.',
    text: 'Print a line for each request. The form: json.',
  },
  'server-timing': { text: 'Send what the steps of a response took, in a Server-Timing header.' },
  'exit-on-uncaught': { text: 'Shut down and exit with 1 after an uncaught exception.' },
  'assets-from': {
    value: 'folder',
    text: 'Keep the assets of another build, such as the deployed one.',
  },
  'shared-assets': { value: 'folder', text: 'Share the assets of builds with other servers.' },
  types: { text: 'Check the types with tsc before; an error fails the build.' },
  fingerprint: { value: 'text', text: 'Only errors of this group.' },
  group: { text: 'Print one line for each group of equal errors, with its count.' },
  limit: {
    value: 'number',
    parse: (text) => (/^[1-9]\d*$/.test(text) ? Number(text) : null),
    valid: 'Write --limit 100.',
    text: 'Maximum number of lines. Default: 50.',
  },
  verbose: { text: 'Show the messages of Vite and its plugins, too.' },
} as const satisfies OptionTable

export type CoreOptionName = keyof typeof coreOptions

type OptionValue<Option extends OptionDescription> = Option extends {
  readonly parse: (text: string) => infer Value
}
  ? Exclude<Value, null>
  : Option extends { readonly value: string }
    ? string
    : boolean

/** Options without defaults; durations in milliseconds. */
export type OptionValues<Table extends OptionTable> = {
  readonly [Name in keyof Table]?: OptionValue<Table[Name]>
}

/** What is given to a command of a package. */
export type PackageOptions<Table extends OptionTable> = OptionValues<Table> & {
  /** Relative to the working directory. */
  readonly folder?: string
  /** Of an error, as the journal writes it. */
  readonly digest?: string
  /** In place of the folder, where the command describes its operands. */
  readonly operands?: readonly string[]
}

export type ParsedOptions = PackageOptions<typeof coreOptions>

/** @returns `null` for an invalid port */
export function parsePort(text: string): number | null {
  return /^\d{1,5}$/.test(text) && Number(text) <= 65535 ? Number(text) : null
}

const loopback = ['127.0.0.0/8', '::1']
const namedRanges = new Map<string, readonly string[]>([
  ['loopback', loopback],
  [
    'private',
    [
      ...loopback,
      '10.0.0.0/8',
      '172.16.0.0/12',
      '192.168.0.0/16',
      '169.254.0.0/16',
      'fc00::/7',
      'fe80::/10',
    ],
  ],
])

/**
 * Parses trusted proxies: addresses, ranges (`10.0.0.0/8`), `loopback` and `private`, separated by
 * commas.
 * @returns addresses and ranges; `null` for an invalid text
 */
export function parseProxies(text: string): readonly string[] | null {
  const entries = text.split(',').map((entry) => entry.trim())
  const ranges = entries.flatMap((entry) => namedRanges.get(entry) ?? entry)
  try {
    createIsTrustedPeer(ranges)
    return ranges
  } catch {
    return null
  }
}

const unitsMs: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
}

/** Parses a duration: `30s`, `15m`, `1h`, `7d`. @returns milliseconds; `null` for other texts */
export function parseDuration(text: string): number | null {
  const [, count, unit = ''] = /^(\d{1,6}(?:\.\d+)?)\s*([smhd])$/.exec(text) ?? []
  return count === undefined ? null : Number(count) * (unitsMs[unit] ?? 0)
}

/** Formats with the largest unit: `3 h`. */
export function formatDuration(ms: number): string {
  const [unit, unitMs] = Object.entries(unitsMs)
    .reverse()
    .find(([, each]) => ms >= each) ?? ['s', 1_000]
  return `${Math.floor(Math.max(0, ms) / unitMs)} ${unit === 'm' ? 'min' : unit}`
}
