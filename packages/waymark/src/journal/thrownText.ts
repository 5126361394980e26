import { tryOrUndefined } from '../shared/neverThrows.ts'

export type ThrownText = {
  /** The error's name, or the type of a thrown value that isn't an error. */
  readonly name: string
  /** Code of the error, such as `ENOENT` or `ROUTE_CONFLICT`. */
  readonly code: string | null
  readonly message: string
  /** Frames of the stack, one per line; `null` without any. */
  readonly stack: string | null
}

export type Cause = ThrownText & {
  /**
   * Relation to the error that contains this one. `member` means that it is in an AggregateError.
   */
  readonly relation: 'cause' | 'member'
}

/** Returns lines with an error's name and message. All lines after the first are indented. */
export function messageLines({ name, message }: Pick<ThrownText, 'name' | 'message'>): string[] {
  const [first, ...others] = message.split('\n')
  return [first ? `${name}: ${first}` : name, ...others.map((line) => `  ${line}`)]
}

export function messageLine(text: Pick<ThrownText, 'name' | 'message'>): string {
  return messageLines(text)[0] ?? ''
}

export function causeLabel({ relation }: Pick<Cause, 'relation'>): string {
  return relation === 'cause' ? 'caused by' : 'with'
}

/** Maximum lengths in UTF-16 units, and maximum number of causes. */
export const textLimits = { name: 100, message: 4096, stack: 16_384, causes: 8 }

const causeLimits = { ...textLimits, message: 1024, stack: 4096 }

/** Describes a thrown value. Never throws, even if reading the value's properties does. */
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
 * Returns the causes of an error and the members of AggregateErrors, nearest first and without cycles.
 */
export function describeCauses(thrown: unknown): Cause[] {
  const seen = new Set<unknown>([thrown])
  const waiting = behind(thrown)
  const causes: Cause[] = []
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    if (causes.length === causeLimits.causes) break
    const { relation, value } = next
    if (isObject(value) && seen.has(value)) continue
    seen.add(value)
    causes.push({ relation, ...describeThrown(value, causeLimits) })
    waiting.push(...behind(value))
  }
  return causes
}

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
  // The string of a function would be its source code.
  if (typeof thrown === 'function') return 'A function was thrown.'
  if (!isObject(thrown)) return String(thrown)
  const message = read(thrown, 'message')
  if (typeof message === 'string') return message
  return `A value without a message was thrown. It has the properties ${keysOf(thrown)}.`
}

// Returns the names of an object's properties. Omits the values, which may be secret.
function keysOf(thrown: object): string {
  const keys = tryOrUndefined(() => Object.keys(thrown).slice(0, 20).join(', ') || '(none)')
  return keys ?? '(unreadable)'
}

type Behind = { readonly relation: Cause['relation']; readonly value: unknown }

function behind(thrown: unknown): Behind[] {
  const causes: Behind[] = []
  const cause = read(thrown, 'cause')
  if (cause !== undefined) causes.push({ relation: 'cause', value: cause })
  const members = read(thrown, 'errors')
  // `isArray` throws for a revoked proxy: ECMA-262 §7.2.2.
  const count = tryOrUndefined(() => Array.isArray(members)) ? Number(read(members, 'length')) : 0
  for (let at = 0; at < Math.min(count, causeLimits.causes); at++) {
    causes.push({ relation: 'member', value: read(members, String(at)) })
  }
  return causes
}

function read(from: unknown, key: string): unknown {
  if (!isObject(from)) return undefined
  // A getter may throw, and a revoked proxy always does.
  return tryOrUndefined(() => (from as Record<string, unknown>)[key])
}

export function isObject(value: unknown): value is object {
  return (typeof value === 'object' && value !== null) || typeof value === 'function'
}

// Matches control characters and characters that change the writing direction. With these, somebody
// could forge a log line.
const unsafe = /(?![\n\t])[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu

// Matches colour sequences that tools write into their messages (ECMA-48 §8.3.117).
// biome-ignore lint/suspicious/noControlCharactersInRegex: the sequence starts with one
const colors = /\u001b\[[\d;]*m/g

/**
 * Shortens a string, and removes characters that affect how other text is displayed.
 * @param maxLength maximum length in UTF-16 units. A shortened string ends with an ellipsis
 */
export function cleanText(text: string, maxLength: number): string {
  const bounded = text.length > maxLength ? `${text.slice(0, maxLength - 1)}…` : text
  const plain = bounded.replaceAll('\r\n', '\n').replace(colors, '')
  return plain.toWellFormed().replace(unsafe, '\ufffd')
}

export function cleanLine(text: string, maxLength: number): string {
  return cleanText(text, maxLength).replace(/[\n\t]+/g, ' ')
}

const mark = '[redacted]'

// Matches secret headers, such as `authorization: Bearer x`, `"cookie": "a=b; c=d"` and
// `['set-cookie', 'a=b']`, up to the closing quote or the end of the line.
const header =
  /\b((?:proxy-)?authorization|(?:set-)?cookie2?)(["'`]?\s*(?:,(?=\s*["'`])|[:=])\s*)(?:"[^"\n]*"|'[^'\n]*'|`[^`\n]*`|[^\s"'`][^\n]*)/gi

const credentials = /\b(Bearer|Basic|Digest|Negotiate)\s+[\w.~+/=-]{8,}/g

const userInUrl = /(\w:\/\/)[^\s/@:]+(?::[^\s/@]*)?@/g

// Requires a name before the `=`, and no space, so that a ternary operator doesn't match.
const queryValue = /([?&][\w.~%[\]+-]+=)[^\s&#"'`<>)\]}]+/g

/** Removes credentials, cookies, users in URLs, and values in queries from a string. */
export function redactText(text: string): string {
  return text
    .replace(header, `$1$2${mark}`)
    .replace(credentials, `$1 ${mark}`)
    .replace(userInUrl, `$1${mark}@`)
    .replace(queryValue, `$1${mark}`)
}

// Matches a query that precedes line and column.
const queryOfFrame = /\?[^\s()]*?(?=(?::\d+){1,2}\)?$)/

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

export function redactHeaders(headers: Iterable<[string, string]>): Record<string, string> {
  const redactLine = ([name, value]: [string, string]) =>
    [name, sensitiveHeaders.has(name.toLowerCase()) ? mark : value] as const
  return Object.fromEntries(Array.from(headers, redactLine))
}

export type StackFrame = {
  /** The frame as the engine wrote it, without indentation. */
  readonly text: string
  readonly functionName: string | null
  /** Path or URL; `null` for a frame such as `Promise.all (index 0)`. */
  readonly file: string | null
  readonly line: number
  readonly column: number
}

export const stackLimits = { lines: 50, lineLength: 500 }

const inV8 = /^at (?<functionName>.+?) \((?<file>.+?):(?<line>\d+):(?<column>\d+)\)$/
// A frame without a function has no parentheses around the file. The file's path may contain
// parentheses.
const inV8WithoutFunction = /^at (?<file>.+?):(?<line>\d+):(?<column>\d+)$/
const inOthers = /^(?<functionName>[^@]*)@(?<file>.+?):(?<line>\d+):(?<column>\d+)$/

/**
 * Returns a stack's frames, without the name and message that V8 writes in front of them. The stack
 * may have any length.
 */
export function frameLines(stack: string): string[] {
  // A long message may precede the frames, so only read the end of the stack.
  const end = stack.slice(-stackLimits.lines * stackLimits.lineLength)
  const lines = end.split('\n').map((line) => line.slice(0, stackLimits.lineLength).trim())
  return lines
    .filter((line) => inOthers.test(line) || /^at \S/.test(line))
    .slice(0, stackLimits.lines)
}

export function parseFrame(text: string): StackFrame {
  const match = inV8.exec(text) ?? inV8WithoutFunction.exec(text) ?? inOthers.exec(text)
  if (!match?.groups) return { text, functionName: null, file: null, line: 0, column: 0 }
  const { functionName, file = null, line, column } = match.groups
  return {
    text,
    functionName: functionName || null,
    file,
    line: Number(line),
    column: Number(column),
  }
}
