import type { HandlerResponse, Responding } from '../../http/response.ts'
import { followToEnd } from '../../http/stream.ts'

/** How many documents a server renders at the same time. */
export type DocumentLimit = ReturnType<typeof createDocumentLimit>

/** A document counts from its first layout to the end of its body. */
export function createDocumentLimit(max: number) {
  let running = 0
  return {
    running: () => running,
    /** @param refuse responds where there is no room */
    async render(
      render: () => Responding,
      refuse: () => HandlerResponse,
    ): Promise<HandlerResponse> {
      if (running >= max) return refuse()
      running++
      const end = () => void running--
      try {
        const response = await render()
        const { body } = response
        if (body !== null && typeof body === 'object' && Symbol.asyncIterator in body) {
          return { ...response, body: followToEnd(body, end) }
        }
        end()
        return response
      } catch (thrown) {
        end()
        throw thrown
      }
    },
  }
}
