import { notModifiedNames, type Validators } from './conditionalRequest.ts'
import type { Encoding } from './contentCoding.ts'
import type { HeaderLines } from './response.ts'

/** Header lines for each possible response with stored bytes. */
export type StoredResponseLines = {
  /** Raw lines (name, value, name, value) of the full response, ending with `content-length`. */
  readonly full: readonly string[]
  /** Raw lines of a 304, which repeats some lines of the full response. */
  readonly notModified: readonly string[]
}

export type StoredResponseHead = {
  readonly status: number
  /** The response's header lines, except those that describe the bytes. */
  readonly headers: HeaderLines
  readonly encoding: Encoding
  /** True if the body is stored in several encodings. */
  readonly hasVariants: boolean
  /** Validators of the bytes in this encoding. */
  readonly validators: Validators
  /** True for a file, which has a modification time. */
  readonly isDated: boolean
}

/** Adds the header lines that describe the stored bytes. */
export function storedResponseLines(head: StoredResponseHead): StoredResponseLines {
  const { status, encoding, validators } = head
  const lines: HeaderLines = [...head.headers]
  if (head.hasVariants) lines.push(['vary', 'accept-encoding'])
  const stable = lines.filter(([name]) => {
    const lower = name.toLowerCase()
    // The app may renew a session with each response, so a 304 repeats cookies, too.
    return notModifiedNames.has(lower) || lower === 'set-cookie'
  })
  if (encoding !== 'identity') lines.push(['content-encoding', encoding])
  if (status === 200) {
    const etag: [string, string] = ['etag', validators.etag]
    stable.push(etag)
    lines.push(etag, ['accept-ranges', 'bytes'])
  }
  if (head.isDated) {
    lines.push(['last-modified', new Date(validators.modifiedAtMs).toUTCString()])
  }
  lines.push(['content-length', String(validators.size)])
  return { full: lines.flat(), notModified: stable.flat() }
}

/**
 * Turns the header lines of a full response into the header lines of a 206.
 * @param full raw lines, ending with `content-length`
 * @param size size of the whole body, in bytes
 */
export function rangeResponseLines(
  full: readonly string[],
  { first, last }: { readonly first: number; readonly last: number },
  size: number,
): string[] {
  return [
    ...full.slice(0, -2),
    'content-range',
    `bytes ${first}-${last}/${size}`,
    'content-length',
    String(last - first + 1),
  ]
}
