import { setBounded } from '../../shared/boundedMap.ts'

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
      setBounded(remembered, content, key, maxRemembered)
    },
    forget: (content) => void remembered.delete(content),
  }
}

function base64url(bytes: Uint8Array): string {
  const text = btoa(String.fromCharCode(...bytes))
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

/** A call's place among those of the same action. */
export type CallPosition = {
  /** Its own name, and those of the calls before it that are under way. */
  readonly header: string
  end(): void
}

/** Names the calls of a document, so that the server knows which was made first. */
export type CallOrder = {
  /** To be called when the call is made, before anything is waited for. */
  take(actionId: string): CallPosition
}

// As many as the server reads.
const maxEarlier = 20

/** Makes them. @param documentName random, 6 characters or more, `\w` and `-` */
export function createCallOrder(documentName: string): CallOrder {
  const pending = new Map<string, Set<string>>()
  let count = 0
  return {
    take(actionId) {
      const calls = pending.get(actionId) ?? new Set<string>()
      pending.set(actionId, calls)
      const own = `${documentName}-${count++}`
      const header = [own, ...[...calls].slice(-maxEarlier)].join(' ')
      calls.add(own)
      return {
        header,
        end() {
          calls.delete(own)
          if (calls.size === 0) pending.delete(actionId)
        },
      }
    },
  }
}
