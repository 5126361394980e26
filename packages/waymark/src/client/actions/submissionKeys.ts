/** Keys of submissions: the server runs each once, however often it is asked. */
export type IdempotencyKeys = {
  /** The key for a call: that of the same one, where it was sent before and not answered. */
  keyFor(content: string): string
  /** The call was given up without an answer: the same one again is the same submission. */
  remember(content: string, key: string): void
  /** It was answered. */
  forget(content: string): void
}

const maxRemembered = 20
const keyBytes = 18

/** Makes the keys of a document. @param randomBytes fills an array */
export function createIdempotencyKeys(
  randomBytes: (bytes: Uint8Array<ArrayBuffer>) => Uint8Array,
): IdempotencyKeys {
  const remembered = new Map<string, string>()
  return {
    keyFor: (content) =>
      remembered.get(content) ?? base64url(randomBytes(new Uint8Array(keyBytes))),
    remember(content, key) {
      remembered.set(content, key)
      const [oldest] = remembered.keys()
      if (remembered.size > maxRemembered && oldest !== undefined) remembered.delete(oldest)
    },
    forget: (content) => void remembered.delete(content),
  }
}

function base64url(bytes: Uint8Array): string {
  const text = btoa(String.fromCharCode(...bytes))
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}
