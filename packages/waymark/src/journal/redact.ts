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
