import { frameLines } from './stackFrames.ts'

/** What is known of a thrown value. */
export type ThrownText = {
  /** Of an error its name, else what kind of value was thrown. */
  readonly name: string
  /** `ENOENT`, `ROUTE_CONFLICT`. */
  readonly code: string | null
  readonly message: string
  /** The frames alone, one a line; `null` when there are none. */
  readonly stack: string | null
}

/** A value that stands behind a thrown one. */
export type Cause = ThrownText & {
  /** `member`: one of the errors of an AggregateError. */
  readonly relation: 'cause' | 'member'
}

/** Name and message; further lines of it are indented. */
export function messageLines({ name, message }: Pick<ThrownText, 'name' | 'message'>): string[] {
  const [first, ...others] = message.split('\n')
  return [first ? `${name}: ${first}` : name, ...others.map((line) => `  ${line}`)]
}

/** Name and first line of the message. */
export function messageLine(text: Pick<ThrownText, 'name' | 'message'>): string {
  return messageLines(text)[0] ?? ''
}

/** The words before the message line of a cause. */
export function causeLabel({ relation }: Pick<Cause, 'relation'>): string {
  return relation === 'cause' ? 'caused by' : 'with'
}

/**
 * Runs what may fail without harm: an error in the reporting of an error must not become an error
 * of the request.
 * @returns `undefined` when it threw
 */
export function tryOrUndefined<T>(run: () => T): T | undefined {
  try {
    return run()
  } catch {
    return undefined
  }
}

/** Bounds of what is stored, in UTF-16 units and in number. */
export const textLimits = { name: 100, message: 4096, stack: 16_384, causes: 8 }

const causeLimits = { ...textLimits, message: 1024, stack: 4096 }

/**
 * Describes a thrown value, whatever it is: reading a property of it may throw.
 */
export function describeThrown(thrown: unknown, limits = textLimits): ThrownText {
  const code = read(thrown, 'code')
  return {
    name: cleanLine(nameOf(thrown), limits.name),
    code: typeof code === 'string' ? cleanLine(code, limits.name) : null,
    message: redactText(cleanText(messageOf(thrown), limits.message)),
    stack: describeStack(read(thrown, 'stack'), limits.stack),
  }
}

/**
 * Describes what stands behind a thrown value: its causes, and the members of an AggregateError.
 * The nearest come first; a circle is walked once.
 */
export function describeCauses(thrown: unknown): Cause[] {
  const seen = new Set<unknown>([thrown])
  const waiting = behind(thrown)
  const found: Cause[] = []
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    if (found.length === causeLimits.causes) break
    const { relation, value } = next
    if (isObject(value) && seen.has(value)) continue
    seen.add(value)
    found.push({ relation, ...describeThrown(value, causeLimits) })
    waiting.push(...behind(value))
  }
  return found
}

/** Cleans, redacts and bounds a stack; what is no text has no frames. */
export function describeStack(stack: unknown, maxLength: number): string | null {
  if (typeof stack !== 'string') return null
  const lines: string[] = []
  let length = 0
  for (const line of frameLines(stack)) {
    const frame = redactFrame(cleanLine(line, line.length))
    length += frame.length + 1
    if (length > maxLength) break
    lines.push(frame)
  }
  return lines.length > 0 ? lines.join('\n') : null
}

function nameOf(thrown: unknown): string {
  if (thrown === null) return 'null'
  if (typeof thrown !== 'object') return typeof thrown
  const name = read(thrown, 'name')
  if (typeof name === 'string' && name !== '') return name
  const maker = read(read(thrown, 'constructor'), 'name')
  return typeof maker === 'string' && maker !== '' ? maker : 'Object'
}

function messageOf(thrown: unknown): string {
  if (typeof thrown === 'string') return thrown
  // The text of a function would be source code.
  if (typeof thrown === 'function') return 'A function was thrown.'
  if (!isObject(thrown)) return String(thrown)
  const message = read(thrown, 'message')
  if (typeof message === 'string') return message
  return `It has no message that can be read, and the properties ${keysOf(thrown)}.`
}

// Names only: values may be anything, secrets included.
function keysOf(thrown: object): string {
  const keys = tryOrUndefined(() => Object.keys(thrown).slice(0, 20).join(', ') || '(none)')
  return keys ?? '(unreadable)'
}

type Behind = { readonly relation: Cause['relation']; readonly value: unknown }

function behind(thrown: unknown): Behind[] {
  const found: Behind[] = []
  const cause = read(thrown, 'cause')
  if (cause !== undefined) found.push({ relation: 'cause', value: cause })
  const members = read(thrown, 'errors')
  // ECMA-262 §7.2.2: `isArray` throws for a revoked proxy.
  const count = tryOrUndefined(() => Array.isArray(members)) ? Number(read(members, 'length')) : 0
  for (let at = 0; at < Math.min(count, causeLimits.causes); at++) {
    found.push({ relation: 'member', value: read(members, String(at)) })
  }
  return found
}

function read(from: unknown, key: string): unknown {
  if (!isObject(from)) return undefined
  // A getter that throws, or a revoked proxy: there is nothing to be read.
  return tryOrUndefined(() => (from as Record<string, unknown>)[key])
}

function isObject(value: unknown): value is object {
  return (typeof value === 'object' && value !== null) || typeof value === 'function'
}

// Of the control characters, a text of several lines needs two. The others, and those that turn
// the direction of writing, would let a stranger's text write over a terminal or forge a line.
const unsafe = /(?![\n\t])[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu

// ECMA-48 §8.3.117, as tools write them into their messages.
// biome-ignore lint/suspicious/noControlCharactersInRegex: the sequence begins with one
const colors = /\u001b\[[\d;]*m/g

/**
 * Bounds a text, and removes what could change how the text around it is shown.
 * @param maxLength in UTF-16 units; a longer text ends in an ellipsis
 */
export function cleanText(text: string, maxLength: number): string {
  const bounded = text.length > maxLength ? `${text.slice(0, maxLength - 1)}…` : text
  const plain = bounded.replaceAll('\r\n', '\n').replace(colors, '')
  return plain.toWellFormed().replace(unsafe, '\ufffd')
}

/** The same for a text of one line. */
export function cleanLine(text: string, maxLength: number): string {
  return cleanText(text, maxLength).replace(/[\n\t]+/g, ' ')
}

const mark = '[redacted]'

// `authorization: Bearer x`, `"cookie": "a=b; c=d"`, `['set-cookie', 'a=b']`: to the end of the
// value's quotes, or of the line.
const header =
  /\b((?:proxy-)?authorization|(?:set-)?cookie2?)(["'`]?\s*(?:,(?=\s*["'`])|[:=])\s*)(?:"[^"\n]*"|'[^'\n]*'|`[^`\n]*`|[^\s"'`][^\n]*)/gi

const credentials = /\b(Bearer|Basic|Digest|Negotiate)\s+[\w.~+/=-]{8,}/g

const userInUrl = /(\w:\/\/)[^\s/@:]+(?::[^\s/@]*)?@/g

// Only after something that can be a path: a ternary operator has no name and value.
const queryValue = /([?&][\w.~%[\]+-]+=)[^\s&#"'`<>)\]}]+/g

/**
 * Takes secrets out of a text that was written for people: values of the headers authorization,
 * cookie and set-cookie, credentials, users in URLs, values of queries.
 */
export function redactText(text: string): string {
  return text
    .replace(header, `$1$2${mark}`)
    .replace(credentials, `$1 ${mark}`)
    .replace(userInUrl, `$1${mark}@`)
    .replace(queryValue, `$1${mark}`)
}

// The query of a file's URL, before the line and the column.
const queryOfFrame = /\?[^\s()]*?(?=(?::\d+){1,2}\)?$)/

/** The same for one frame of a stack, whose line and column have to stay. */
export function redactFrame(frame: string): string {
  return frame.replace(queryOfFrame, '').replace(userInUrl, `$1${mark}@`)
}

const sensitiveHeaders = new Set([
  'authorization',
  'proxy-authorization',
  'cookie',
  'set-cookie',
  'x-api-key',
])

/** Copies headers for others to read: those that carry secrets keep their name only. */
export function redactHeaders(headers: Iterable<[string, string]>): Record<string, string> {
  const shown: [string, string][] = []
  for (const [name, value] of headers) {
    shown.push([name, sensitiveHeaders.has(name.toLowerCase()) ? mark : value])
  }
  return Object.fromEntries(shown)
}
