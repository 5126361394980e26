import type { HandlerResponse, HeaderLines, Responding } from '../../http/response.ts'
import { followToEnd } from '../../http/stream.ts'
import { statusResponse } from '../errors/screenResponse.ts'
import type { Exchange } from '../request/exchange.ts'
import type { PageApp } from './pageRequest.ts'

/** Limits how many documents a server renders at the same time. */
export type DocumentLimit = ReturnType<typeof createDocumentLimit>

/** Creates the limit. A document counts from its first layout to the end of its body. */
export function createDocumentLimit(max: number) {
  let running = 0
  return {
    running: () => running,
    /** Renders a document, or calls `refuse` if the limit is reached. */
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

type LimitedApp = Pick<PageApp, 'theme' | 'screens'> & {
  readonly documentLimit: DocumentLimit | null
}

/** Renders a page. Responds with a 503 if its document would exceed the app's `maxDocuments`. */
export function withinDocumentLimit(
  { destination, scope, request }: Exchange,
  { documentLimit, theme, screens }: LimitedApp,
  render: () => Responding,
): Responding {
  if (!documentLimit || destination.kind !== 'document' || scope.phase !== 'render') return render()
  const headers: HeaderLines = [['retry-after', '1']]
  const refuse = () => statusResponse(503, { request, theme: theme.config, screens, headers })
  return documentLimit.render(render, refuse)
}
