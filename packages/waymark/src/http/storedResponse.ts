import { notModifiedNames, type Validators } from './conditionalRequest.ts'
import type { Encoding } from './contentCoding.ts'
import type { HeaderLines } from './response.ts'

/** Header lines of a response with stored bytes, by the kind of its outcome. */
export type StoredResponseLines = {
  /** Of the full response. Raw (name, value, name, value); the last line is `content-length`. */
  readonly full: readonly string[]
  /** Of a 304, which repeats some of them. Raw. */
  readonly notModified: readonly string[]
}

export type StoredResponseHead = {
  readonly status: number
  /** Own header lines, without those of the bytes. */
  readonly headers: HeaderLines
  readonly encoding: Encoding
  /** True when the body is stored in several encodings. */
  readonly hasVariants: boolean
  /** Of the bytes in this encoding. */
  readonly validators: Validators
  /** True for a file, which says when it was last modified. */
  readonly isDated: boolean
}

/** Adds the header lines that describe the stored bytes. */
export function storedResponseLines(head: StoredResponseHead): StoredResponseLines {
  const { status, encoding, validators } = head
  const lines: HeaderLines = [...head.headers]
  if (head.hasVariants) lines.push(['vary', 'accept-encoding'])
  const stable = lines.filter(([name]) => {
    const lower = name.toLowerCase()
    // The app may renew a session with each response.
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
 * Turns the header lines of a full response into those of a 206.
 * @param full raw, `content-length` last
 * @param size of the whole body, in bytes
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
