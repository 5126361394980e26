import { createIsTrustedPeer } from '../node/request.ts'

/** An option of a command. A flag has no `value`. Without `parse`, the value is a string. */
export type OptionDescription = {
  /** Name of the value in the help. */
  readonly value?: string
  /**
   * Parses the value.
   *
   * @returns `null` for an invalid value
   */
  readonly parse?: (text: string) => unknown
  /** Separator that joins the values of a repeatable option. */
  readonly separator?: string
  /** Describes valid values. Shown after an invalid one. */
  readonly valid?: string
  readonly text: string
}

export type OptionTable = Readonly<Record<string, OptionDescription>>

const duration = {
  value: 'duration',
  /** Returns milliseconds. */
  parse: parseDuration,
  valid: 'A duration is a number with a unit, such as 10s, 2m, 1h or 7d.',
}

/**
 * Options that several commands share: `--since 7d` (in milliseconds once parsed), `--route
 * /blog/[slug]`, `--mode staging`, `--json`.
 */
export const sharedOptions = {
  since: { ...duration, text: 'How far to look back, such as 30m, 1h or 7d.' },
  route: { value: 'pattern', text: 'Include only this route, such as /blog/[slug].' },
  mode: { value: 'name', text: 'Load .env.<name> in addition to .env. Default: {mode}.' },
  json: { text: 'Print JSON.' },
} as const satisfies OptionTable

export const coreOptions = {
  ...sharedOptions,
  port: {
    value: 'number',
    parse: parsePort,
    valid: 'A port is a number from 0 to 65535.',
    text: 'Port to listen on. Default: the PORT variable, or 3000.',
  },
  host: {
    value: 'name',
    text: 'Address to listen on. 0.0.0.0 means all. Default: the HOST variable.',
  },
  workers: {
    value: 'number',
    parse: (text) => (/^[1-9]\d{0,2}$/.test(text) ? Number(text) : null),
    valid: 'Use a number from 1 to 999. One per core is a good start.',
    text: 'Number of server processes. Default: 1.',
  },
  'trust-proxy': {
    value: 'addresses',
    parse: parseProxies,
    valid:
      'Separate addresses and ranges with commas, such as 10.0.0.0/8,::1, or use loopback or private.',
    text: 'Trusted proxies, such as 10.0.0.0/8,::1, loopback or private.',
  },
  'drain-delay': {
    ...duration,
    text: 'Time to serve after SIGTERM while readiness checks fail. Default: 0s.',
  },
  'drain-timeout': {
    ...duration,
    text: 'Time for open requests to finish after --drain-delay. Default: 10s.',
  },
  log: {
    value: 'format',
    parse: (text) => (text === 'json' ? text : null),
    valid: 'The only format is json: --log json.',
    text: 'Print a line for each request. The format is json.',
  },
  'server-timing': { text: 'Send the duration of each step in a Server-Timing header.' },
  'exit-on-uncaught': { text: 'Shut down with exit code 1 after an uncaught exception.' },
  'assets-from': {
    value: 'folder',
    text: 'Also keep the assets of another build, such as the deployed one.',
  },
  'shared-assets': {
    value: 'folder',
    text: 'Folder in which servers share the assets of their builds.',
  },
  types: { text: 'Check types with tsc first. A type error fails the build.' },
  fingerprint: { value: 'text', text: 'Include only errors in this group.' },
  group: { text: 'Print one line per group of identical errors, with a count.' },
  limit: {
    value: 'number',
    parse: (text) => (/^[1-9]\d*$/.test(text) ? Number(text) : null),
    valid: 'Use a positive number: --limit 100.',
    text: 'Maximum number of lines. Default: 50.',
  },
  verbose: { text: 'Also show messages from Vite and its plugins.' },
} as const satisfies OptionTable

export type CoreOptionName = keyof typeof coreOptions

type OptionValue<Option extends OptionDescription> = Option extends {
  readonly parse: (text: string) => infer Value
}
  ? Exclude<Value, null>
  : Option extends { readonly value: string }
    ? string
    : boolean

/** Values of options, without defaults. Durations are in milliseconds. */
export type OptionValues<Table extends OptionTable> = {
  readonly [Name in keyof Table]?: OptionValue<Table[Name]>
}

/** Options and arguments that a command of a package receives. */
export type PackageOptions<Table extends OptionTable> = OptionValues<Table> & {
  /** The app's folder, relative to the working directory. */
  readonly folder?: string
  /** Digest of an error, as the journal writes it. */
  readonly digest?: string
  /** Arguments in place of the folder, if the command describes its operands. */
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
 *
 * @returns addresses and ranges, or `null` if the text is invalid
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

/**
 * Parses a duration such as `30s`, `15m`, `1h` or `7d`.
 *
 * @returns milliseconds, or `null` if the text is invalid
 */
export function parseDuration(text: string): number | null {
  const [, count, unit = ''] = /^(\d{1,6}(?:\.\d+)?)\s*([smhd])$/.exec(text) ?? []
  return count === undefined ? null : Number(count) * (unitsMs[unit] ?? 0)
}

/** Formats a duration with its largest unit: `3 h`. */
export function formatDuration(ms: number): string {
  const [unit, unitMs] = Object.entries(unitsMs)
    .reverse()
    .find(([, each]) => ms >= each) ?? ['s', 1_000]
  return `${Math.floor(Math.max(0, ms) / unitMs)} ${unit === 'm' ? 'min' : unit}`
}
