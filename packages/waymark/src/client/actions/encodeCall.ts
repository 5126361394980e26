import { callContent } from './content.ts'
import { encodeReply } from './encodeReply.ts'

/** A call as it is sent, as often as it takes. */
export type EncodedCall = {
  readonly id: string
  readonly body: string | FormData
  /** Equal only for equal calls. */
  readonly content: string
}

/**
 * Encodes a call.
 * @throws for arguments that can't be sent, as a function of the browser's
 */
export async function encodeCall(id: string, args: readonly unknown[]): Promise<EncodedCall> {
  // plugin-rsc types what React takes for other React functions, too.
  const body = (await encodeReply([...args])) as string | FormData
  const content = typeof body === 'string' ? body : callContent(body)
  return { id, body, content: `${id}\n${content}` }
}
