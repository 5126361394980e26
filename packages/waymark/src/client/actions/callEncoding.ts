// Import React's runtime rather than plugin-rsc's entry, so that a package can load the encoder alone.
import { encodeReply } from '@vitejs/plugin-rsc/vendor/react-server-dom/client.browser'
import { callContent, type ServerCall } from './calls.ts'

export type EncodedCall = {
  /** Id of the action. */
  readonly id: string
  readonly body: string | FormData
  /** String for comparing calls: equal for calls with equal arguments. */
  readonly content: string
}

export async function encodeCall({ id, args }: ServerCall): Promise<EncodedCall> {
  const body = (await encodeReply([...args])) as string | FormData
  const content = typeof body === 'string' ? body : callContent(body)
  return { id, body, content: `${id}\n${content}` }
}

/** True for a reference to a server function. Other functions can't be sent. */
export async function isServerReference(action: unknown): Promise<boolean> {
  if (typeof action !== 'function') return false
  return encodeReply(action as never).then(
    () => true,
    () => false,
  )
}

const maxRemembered = 20
const keyBytes = 16

/**
 * Creates idempotency keys for this document's calls. The server runs calls with the same key only
 * once.
 */
export function createIdempotencyKeys() {
  const remembered = new Map<string, string>()
  return {
    has: (content: string) => remembered.has(content),
    /** Returns a new key, or the key of an equal call that never got a response. */
    keyFor(content: string): string {
      return remembered.get(content) ?? randomKey()
    },
    remember(content: string, key: string): void {
      remembered.set(content, key)
      const [oldest] = remembered.keys()
      if (remembered.size > maxRemembered && oldest !== undefined) remembered.delete(oldest)
    },
    forget(content: string): void {
      remembered.delete(content)
    },
  }
}

// Don't use `randomUUID`, which doesn't exist on pages without TLS.
function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(keyBytes))
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
