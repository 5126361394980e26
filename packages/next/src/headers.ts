import { type DraftMode, draftMode as draftModeOfRequest } from 'waymark/server'

export {
  type Cookies,
  cookies,
  type DraftMode,
  headers,
  type ReadonlyHeaders,
} from 'waymark/server'

/**
 * Reads and changes draft mode. It is always off in cached functions, because nothing is cached
 * while it is on.
 * @throws `OUTSIDE_REQUEST`
 */
export async function draftMode(): Promise<DraftMode> {
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
