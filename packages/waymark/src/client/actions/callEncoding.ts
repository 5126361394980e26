// Imports React's own runtime, not plugin-rsc's entry, so that a package can load the encoder separately.
import { encodeReply } from '@vitejs/plugin-rsc/vendor/react-server-dom/client.browser'
import { callContent, type ServerCall } from './calls.ts'

/** A call whose arguments are encoded. */
export type EncodedCall = {
  /** Id of the action. */
  readonly id: string
  /** Body of the request. */
  readonly body: string | FormData
  /** Text that is the same for calls with the same arguments. */
  readonly content: string
}

export async function encodeCall({ id, args }: ServerCall): Promise<EncodedCall> {
  const body = (await encodeReply([...args])) as string | FormData
  const content = typeof body === 'string' ? body : callContent(body)
  return { id, body, content: `${id}\n${content}` }
}

/** Functions of the browser can't be sent; references to those of the server can. */
export async function isServerReference(action: unknown): Promise<boolean> {
  if (typeof action !== 'function') return false
  return encodeReply(action as never).then(
    () => true,
    () => false,
  )
}

const maxRemembered = 20
const keyBytes = 16

/** Creates the idempotency keys of a document: the server runs each call once. */
export function createIdempotencyKeys() {
  const remembered = new Map<string, string>()
  return {
    has: (content: string) => remembered.has(content),
    /** The key for a call: that of the same one, where it was sent before without a response. */
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

// Not `randomUUID`, which pages without TLS don't have.
function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(keyBytes))
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
