import { randomFillSync } from 'node:crypto'
import { currentScope } from '../request/scope.ts'

const nonceBytes = 16
// Asking the system for random bytes costs much the same for one nonce and for many.
const noncesAtOnce = 128

/** Creates nonces of 128 bits, as text that may stand in a header and in an attribute. */
export function createNonces(fill: (bytes: Buffer) => unknown = randomFillSync): () => string {
  const bytes = Buffer.alloc(nonceBytes * noncesAtOnce)
  let used = bytes.length
  return () => {
    if (used === bytes.length) {
      fill(bytes)
      used = 0
    }
    used += nonceBytes
    return bytes.toString('base64url', used - nonceBytes, used)
  }
}

// CSP 3 §2.3.1: base64 in either alphabet. The length is that of ours.
const nonceForm = /^[\w-]{22}$/

/**
 * Reads the nonce that the client's document was sent with: what it shows next has to carry
 * the same one.
 * @returns `undefined` for what is none of ours by its form
 */
export function parseNonce(sent: string | null): string | undefined {
  return sent !== null && nonceForm.test(sent) ? sent : undefined
}

/**
 * The nonce of the document that is shown, for an app's own inline scripts and styles. A page that
 * uses it may be prerendered all the same: its header then has their hashes.
 * @returns `undefined` without `security.csp`, and for page data of a document without a nonce
 * @throws `OUTSIDE_REQUEST`
 */
export function nonce(): string | undefined {
  return currentScope('nonce()').context.nonce()
}
