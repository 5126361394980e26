import type { IncomingMessage, ServerResponse } from 'node:http'
import { isIP } from 'node:net'
import type { CorsOptions } from 'vite'
import { buildLayout } from '../../builds/buildManifest.ts'
import { parseAllowedHost } from '../../http/allowedHosts.ts'
import { sourceOfRequest } from '../../http/requestSource.ts'
import type { HandlerResponse } from '../../http/response.ts'
import { refuse } from '../../node/refuse.ts'
import { readOrigin } from '../../node/request.ts'
import { plainText, refusedToOthers } from './errorPage.ts'

/**
 * Vite's default for `server.fs.deny`. Setting the option replaces the default, so it is repeated
 * here.
 */
export const viteDenies = [
  '.env',
  '.env.*',
  '*.{crt,pem,key,p12,pfx,cer,der}',
  '.npmrc',
  '.yarnrc.yml',
  '**/.git/**',
]

/**
 * Excludes build folders, which contain secrets and visitors' errors, from the files that Vite
 * serves. This includes other apps' build folders, because Vite serves the whole workspace.
 * @param deny the app's `server.fs.deny`; Vite adds the returned values
 */
export function denyOptions(deny: readonly string[] | undefined): string[] {
  const buildFolder = `**/${buildLayout.folder}/**`
  return deny === undefined ? [...viteDenies, buildFolder] : [buildFolder]
}

/** Path at which Vite opens a file in the editor. */
export const editorPath = '/__open-in-editor'

/** True for requests from this server's pages, and for URLs that the user has typed. */
export function isSameOrigin(req: IncomingMessage): boolean {
  const { 'sec-fetch-site': site = null, origin = null, referer } = req.headers
  const serverOrigin = readOrigin(req, () => false)
  const source = sourceOfRequest(
    { site: site === null ? null : String(site), origin },
    serverOrigin,
  )
  if (source !== 'unknown') return source === 'same-origin'
  return (
    site === 'none' || (serverOrigin !== null && referer?.startsWith(`${serverOrigin}/`) === true)
  )
}

/** True if the request comes from the machine that runs the server. */
export function isFromThisMachine(req: IncomingMessage): boolean {
  const address = req.socket.remoteAddress?.replace(/^::ffff:/, '') ?? ''
  return address === '::1' || (isIP(address) === 4 && address.startsWith('127.'))
}

/**
 * Clients that may use one of the dev server's URLs. All of them run on the same machine as the
 * server:
 *
 * - `browser`: any browser or program, even when following a link from a different site. For pages that
 *   are only displayed.
 * - `page`: pages of the dev server itself. For data that a page of the dev server reads or changes.
 * - `program`: programs that address the machine as localhost, and pages of the dev server. Other
 *   sites can't reach a URL for programs, even with a hostname that resolves to this machine (DNS
 *   rebinding).
 */
export type LocalClient = 'browser' | 'page' | 'program'

/**
 * Guards a URL of a dev server tool, which has access to the app's sources, errors and data. Call
 * it before you read anything else from the request.
 * @returns a response that refuses the request, or `null` if the client is allowed
 */
export function refuseOtherClients(
  req: IncomingMessage,
  client: LocalClient,
): HandlerResponse | null {
  switch (client) {
    case 'browser':
      return isFromThisMachine(req) ? null : refusedToOthers
    case 'page':
      if (!isFromThisMachine(req)) return refusedToOthers
      return isSameOrigin(req)
        ? null
        : plainText(403, 'Only pages from this server can use this URL.')
    case 'program':
      return refuseOtherPrograms(req)
  }
}

function refuseOtherPrograms(req: IncomingMessage): HandlerResponse | null {
  const { host, origin = null, 'sec-fetch-site': site } = req.headers
  if (!isFromThisMachine(req) || !isAtLoopback(`http://${host}`)) {
    return plainText(
      403,
      "Programs can use this URL only on the dev server's machine, at localhost.",
    )
  }
  const sent = { site: site === undefined ? null : String(site), origin }
  if (sourceOfRequest(sent, `http://${host}`) === 'cross-origin') {
    return plainText(403, "Pages on other sites can't use this URL. It's for programs.")
  }
  return null
}

function isAtLoopback(url: string): boolean {
  return URL.canParse(url) && /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(new URL(url).hostname)
}

/**
 * Refuses requests from other sites and machines, for URLs that do something on the developer's
 * machine.
 */
export function refuseForeign(req: IncomingMessage, res: ServerResponse, next: () => void): void {
  if (isFromThisMachine(req) && isSameOrigin(req)) next()
  else refuse(res, 403)
}

/**
 * Allows other origins only if the app's configuration does. Vite's default would let every page on
 * localhost read the sources, and would also respond to all OPTIONS requests, which must reach the
 * app.
 * @param cors the app's `server.cors`
 */
export function corsOptions(cors: CorsOptions | boolean | undefined): CorsOptions | false {
  if (cors === undefined || cors === false) return false
  if (cors === true) return { preflightContinue: true }
  return { preflightContinue: true, ...cors }
}

/**
 * Adds the app's allowed hosts to Vite's host check. Vite itself allows localhost and IP addresses,
 * and doesn't check ports.
 *
 * @param appHosts the app's `server.allowedHosts`; Vite adds the returned hosts
 */
export function hostOptions(
  appHosts: readonly string[] | true | undefined,
  allowedHosts: readonly string[] | null,
): { allowedHosts?: string[] } {
  if (appHosts === true || allowedHosts === null) return {}
  const rules = allowedHosts.map(parseAllowedHost).filter((rule) => rule !== null)
  return {
    allowedHosts: rules.map(({ isWildcard, hostname }) => `${isWildcard ? '.' : ''}${hostname}`),
  }
}
