import {
  type Cookies,
  cookies as cookiesOfRequest,
  type DraftMode,
  draftMode as draftModeOfRequest,
  headers as headersOfRequest,
  type ReadonlyHeaders,
} from 'waymark/server'
import { createSyncUse } from './syncUse.ts'

export type { Cookies, DraftMode, ReadonlyHeaders }

const explainCookies = createSyncUse('cookies()', ['delete', 'get', 'getAll', 'has', 'set', 'size'])

/**
 * Reads and sets the cookies of the request.
 * @throws `OUTSIDE_REQUEST`
 */
export function cookies(): Promise<Cookies> {
  return explainCookies(cookiesOfRequest())
}

const explainHeaders = createSyncUse('headers()', [
  'entries',
  'forEach',
  'get',
  'getSetCookie',
  'has',
  'keys',
  'values',
])

/**
 * Reads the headers of the request.
 * @throws `OUTSIDE_REQUEST`
 */
export function headers(): Promise<ReadonlyHeaders> {
  return explainHeaders(headersOfRequest())
}

const explainDraftMode = createSyncUse('draftMode()', ['disable', 'enable', 'isEnabled'])

/**
 * Reads and changes draft mode. It is always off in cached functions, because nothing is cached
 * while it is on.
 * @throws `OUTSIDE_REQUEST`
 */
export function draftMode(): Promise<DraftMode> {
  return explainDraftMode(readDraftMode())
}

async function readDraftMode(): Promise<DraftMode> {
  try {
    return await draftModeOfRequest()
  } catch (thrown) {
    if ((thrown as { readonly code?: unknown } | null)?.code !== 'REQUEST_IN_CACHE') throw thrown
    const refuse = () => {
      throw thrown
    }
    return { isEnabled: false, enable: refuse, disable: refuse }
  }
}
