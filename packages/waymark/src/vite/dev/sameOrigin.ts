import type { IncomingMessage, ServerResponse } from 'node:http'
import { readOrigin } from '../../node/origin.ts'
import { refuse } from '../../node/refuse.ts'

/** The path at which Vite opens a file in the editor. */
export const editorPath = '/__open-in-editor'

/**
 * Tells whether a request comes from a page of this server, or was typed by its user. Browsers send
 * `sec-fetch-site` to localhost and over TLS only; elsewhere `origin` or `referer` has to say it.
 */
export function isSameOrigin(req: IncomingMessage): boolean {
  const { 'sec-fetch-site': site, origin, referer } = req.headers
  if (site !== undefined) return site === 'same-origin' || site === 'none'
  const own = readOrigin(req, () => false)
  if (own === null) return false
  return origin === undefined ? referer?.startsWith(`${own}/`) === true : origin === own
}

/** Refuses what another site has asked for: a middleware for what acts on the developer's machine. */
export function refuseForeign(req: IncomingMessage, res: ServerResponse, next: () => void): void {
  if (isSameOrigin(req)) next()
  else refuse(res, 403)
}
