import type { HandlerResponse } from '../../shared/answer.ts'
import { privateNoStore } from '../../shared/cacheControl.ts'
import { documentHeader } from '../../shared/protocol.ts'

/**
 * Answers a request for page data where there is none: the browser has to load the document. No
 * error, which it would complain of in the console of every page that links there.
 */
export const noPageData: HandlerResponse = {
  status: 204,
  headers: [[documentHeader, '1'], ...privateNoStore],
  body: null,
}
