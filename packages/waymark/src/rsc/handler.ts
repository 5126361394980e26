import type { Matcher } from '../routing/match.ts'
import type { Answer, Handle, ServerRequest } from '../shared/answer.ts'
import { heldSegmentsHeader, navigationFromHeader } from '../shared/protocol.ts'
import { answerPage, type PageApp } from './page.ts'
import { readRequest } from './read.ts'

/** What the handler is made of. */
export type HandlerParts = PageApp & { readonly matcher: Matcher }

const nothingHeld: ReadonlySet<string> = new Set()

/** Makes the handler: read, match, answer. */
export function createHandler(app: HandlerParts): Handle {
  return async function handle(request: ServerRequest): Promise<Answer> {
    const read = readRequest(request)
    switch (read.kind) {
      case 'redirect':
        return { status: 308, headers: [['location', read.location]], body: null }
      case 'bad':
        return { status: read.status, headers: [], body: read.reason }
      case 'document': {
        const match = app.matcher.match(read.pathname)
        if (!match) return { status: 404, headers: [], body: 'This page could not be found.' }
        return answerPage({ ...read, match, request, held: nothingHeld }, app)
      }
      case 'data': {
        const from = request.headers.get(navigationFromHeader) ?? undefined
        const match = app.matcher.match(read.pathname, { from })
        if (!match) return { status: 404, headers: [], body: 'This page could not be found.' }
        const held = new Set(request.headers.get(heldSegmentsHeader)?.split(','))
        return answerPage({ ...read, match, request, held }, app)
      }
    }
  }
}
