import type { HandlerResponse, ResponseBody } from '../../shared/answer.ts'
import { overlayScripts, type ShownFailures } from './errorPage.ts'

/** Tells whether an answer has a body of a media type. */
export function hasBody({ headers, body }: HandlerResponse, type: string): boolean {
  const line = headers.find(([name]) => name.toLowerCase() === 'content-type')
  return body !== null && line?.[1].startsWith(type) === true
}

/** Adds the failures of a document to its end, those included that happen while it streams. */
export function withFailures(answer: HandlerResponse, failures: ShownFailures): HandlerResponse {
  return { ...answer, body: extended(answer.body, failures) }
}

function extended(body: ResponseBody, failures: ShownFailures): ResponseBody {
  const scripts = () => (failures.errors().length > 0 ? overlayScripts(failures) : '')
  if (body === null) return null
  if (typeof body === 'string') return body + scripts()
  if (body instanceof Uint8Array) return Buffer.concat([body, Buffer.from(scripts())])
  return followedBy(body, scripts)
}

async function* followedBy(
  body: AsyncIterable<Uint8Array>,
  end: () => string,
): AsyncGenerator<Uint8Array> {
  yield* body
  const text = end()
  if (text !== '') yield Buffer.from(text)
}
