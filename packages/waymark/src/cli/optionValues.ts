import { createIsTrustedPeer } from '../node/request.ts'

export type ValueParser<Value> = {
  /** @returns `null` for an invalid text */
  readonly parse: (text: string) => Value | null
  readonly noun: string
  readonly hint: string
}

export const port = {
  parse: parsePort,
  noun: 'port',
  hint: 'A port is a number from 0 to 65535.',
} satisfies ValueParser<number>

/** Parsed to milliseconds. */
export const duration = {
  parse: parseDuration,
  noun: 'duration',
  hint: 'A duration is a number with a unit, such as 10s, 2m, 1h or 7d.',
} satisfies ValueParser<number>

export const workerCount = {
  parse: (text) => (/^[1-9]\d{0,2}$/.test(text) ? Number(text) : null),
  noun: 'number of workers',
  hint: 'Use a number from 1 to 999. One for each core is a good start.',
} satisfies ValueParser<number>

export const logForm = {
  parse: (text) => (text === 'json' ? text : null),
  noun: 'form of a log',
  hint: 'Write --log json.',
} satisfies ValueParser<string>

export const lineCount = {
  parse: (text) => (/^[1-9]\d*$/.test(text) ? Number(text) : null),
  noun: 'number of lines',
  hint: 'Write --limit 100.',
} satisfies ValueParser<number>

export const viewports = {
  parse(text) {
    const sizes = text.split(',').map((size) => {
      const [, width, height, density = 1] = /^(\d{2,4})x(\d{2,4})(?:@([1-4]))?$/.exec(size) ?? []
      return { width: Number(width), height: Number(height), density: Number(density) }
    })
    return sizes.some(({ width }) => Number.isNaN(width)) ? null : sizes
  },
  noun: 'list of viewports',
  hint: 'Write --viewports 390x844@2,1440x900: width, height, and the density of the screen.',
} satisfies ValueParser<readonly { width: number; height: number; density: number }[]>

export const minuteCount = {
  parse: (text) => (/^\d{1,4}(?:\.\d+)?$/.test(text) && Number(text) > 0 ? Number(text) : null),
  noun: 'number of minutes',
  hint: 'Write --minutes 10, or 2.5.',
} satisfies ValueParser<number>

/** May contain a path. */
export const httpUrl = {
  parse: (text) => (/^https?:\/\/[^/]/.test(text) && URL.canParse(text) ? text : null),
  noun: 'URL',
  hint: 'Write https://cdn.example.com',
} satisfies ValueParser<string>

/** See `parseProxies`. */
export const proxies = {
  parse: parseProxies,
  noun: 'list of addresses',
  hint: 'Write addresses and ranges, separated by commas: 10.0.0.0/8,::1; or loopback, or private.',
} satisfies ValueParser<readonly string[]>

/** @returns `null` for an invalid port */
export function parsePort(text: string): number | null {
  const value = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN
  return value <= 65535 ? value : null
}

const loopback = ['127.0.0.0/8', '::1']
const privateNetworks = [
  ...['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '169.254.0.0/16'],
  ...['fc00::/7', 'fe80::/10'],
]
const namedRanges = new Map<string, readonly string[]>([
  ['loopback', loopback],
  ['private', [...loopback, ...privateNetworks]],
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

/** `30s`, `15m`, `1h`, `7d`. @returns milliseconds; `null` for other texts */
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
