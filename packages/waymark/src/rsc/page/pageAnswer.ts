import type { HandlerResponse, HeaderLines, ResponseBody } from '../../shared/answer.ts'
import { privateNoStore } from '../../shared/cacheControl.ts'
import { buildHeader } from '../../shared/protocol.ts'
import type { PageApp } from './pageRequest.ts'

/** The type of a document. */
export const htmlType = 'text/html; charset=utf-8'

/** Makes the answer of a page that was rendered for its request. */
export function pageResponse(
  { status, headers: own }: Pick<HandlerResponse, 'status' | 'headers'>,
  { buildId }: Pick<PageApp, 'buildId'>,
  [type, body]: [type: string, body: ResponseBody],
): HandlerResponse {
  // What is rendered for one request is for that client alone.
  const headers: HeaderLines = [['content-type', type], ...privateNoStore, ...own]
  // The reader of page data may be a document of another build.
  headers.push([buildHeader, buildId])
  // RFC 9110 §12.5.5: what an answer was chosen by, whichever of the two it is.
  if (status >= 400) headers.push(['vary', 'accept'])
  return { status, headers, body }
}
