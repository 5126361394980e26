import { createEventParser, type StreamMessage } from './eventParser.ts'
import { largestEventBytes } from './streamEvents.ts'

/**
 * Reads messages from a response with server-sent events. Leaving the loop early cancels the response.
 */
export async function* readMessages(
  { body }: Response,
  onBytes?: () => void,
): AsyncGenerator<StreamMessage> {
  const reader = body?.getReader()
  if (!reader) return
  const decoder = new TextDecoder()
  const parse = createEventParser({ maxLength: largestEventBytes })
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      onBytes?.()
      yield* parse(decoder.decode(next.value, { stream: true }))
    }
  } finally {
    reader.cancel().catch(() => {})
  }
}
