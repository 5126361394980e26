import type { PartialShell } from '../../shared/partialShell.ts'
import { readFrame, writeFrame } from './frame.ts'

const shellMagic = 0x31534b57

type Head = Omit<PartialShell, 'html' | 'payload'> & { readonly payloadLength: number }

/** Writes the shell of a page as the bytes that a cache keeps. */
export function encodeShell({ html, payload, ...others }: PartialShell): Uint8Array {
  const head: Head = { ...others, payloadLength: payload.byteLength }
  return writeFrame(shellMagic, head, [payload, Buffer.from(html)])
}

/**
 * Reads what `encodeShell` wrote.
 * @returns `null` for anything else
 */
export function decodeShell(bytes: Buffer): PartialShell | null {
  const read = readFrame<Head>(shellMagic, bytes)
  if (read === null) return null
  const { payloadLength, ...others } = read.head
  const html = read.bodies.toString('utf8', payloadLength)
  return { ...others, html, payload: read.bodies.subarray(0, payloadLength) }
}
