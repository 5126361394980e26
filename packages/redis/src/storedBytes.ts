// Prefix of bytes that were stored as text.
const textMark = 'base64:'

/** Encodes bytes as text, for connections that can't send bytes. */
export function encodeStoredBytes(bytes: Uint8Array): string {
  return `${textMark}${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')}`
}

/** Returns stored bytes, which may be encoded as text. So servers with different connections can share a store. */
export function decodeStoredBytes(stored: Buffer): Buffer {
  if (stored.toString('latin1', 0, textMark.length) !== textMark) return stored
  return Buffer.from(stored.toString('latin1', textMark.length), 'base64')
}
