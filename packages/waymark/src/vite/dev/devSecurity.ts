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

/** Vite's default of `server.fs.deny`, which any other value replaces. */
export const viteDenies = [
  '.env',
  '.env.*',
  '*.{crt,pem,key,p12,pfx,cer,der}',
  '.npmrc',
  '.yarnrc.yml',
  '**/.git/**',
]

/**
 * Excludes build folders, which hold secrets and errors of visitors, from what Vite serves; those of other
 * apps, too, since Vite serves the whole workspace.
 * @param deny `server.fs.deny` of the app, to which Vite adds what is returned
 */
export function denyOptions(deny: readonly string[] | undefined): string[] {
  const buildFolder = `**/${buildLayout.folder}/**`
  return deny === undefined ? [...viteDenies, buildFolder] : [buildFolder]
}

/** The path at which Vite opens a file in the editor. */
export const editorPath = '/__open-in-editor'

/** True for requests of pages of this server, or typed by its user. */
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

/** True for requests of the machine that serves. */
export function isFromThisMachine(req: IncomingMessage): boolean {
  const address = req.socket.remoteAddress?.replace(/^::ffff:/, '') ?? ''
  return address === '::1' || (isIP(address) === 4 && address.startsWith('127.'))
}

/**
 * Clients that a URL of the dev server is for. All of them run on the machine that serves:
 * - `browser`: any browser or program, also by a link of another site. For pages to look at.
 * - `page`: pages of the dev server itself. For what such a page reads or changes.
 * - `program`: programs that address the machine as localhost, and pages of the dev server. Another
 *   site can't reach such a URL, nor by a name that it points to this machine (DNS rebinding).
 */
export type LocalClient = 'browser' | 'page' | 'program'

/**
 * Guards a URL of a tool in the dev server, which knows the app's sources, errors and data. Call this
 * before anything else of the request is read.
 * @returns the response that refuses a request of another client; `null` for one to respond to
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
      return isSameOrigin(req) ? null : plainText(403, 'This is for pages of this server.')
    case 'program':
      return refuseOtherPrograms(req)
  }
}

function refuseOtherPrograms(req: IncomingMessage): HandlerResponse | null {
  const { host, origin = null, 'sec-fetch-site': site } = req.headers
  if (!isFromThisMachine(req) || !isAtLoopback(`http://${host}`)) {
    return plainText(403, 'Programs reach the dev server from its own machine, at localhost.')
  }
  const sent = { site: site === undefined ? null : String(site), origin }
  if (sourceOfRequest(sent, `http://${host}`) === 'cross-origin') {
    return plainText(403, 'This is for programs, and for no page of another site.')
  }
  return null
}

function isAtLoopback(url: string): boolean {
  return URL.canParse(url) && /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(new URL(url).hostname)
}

/** Refuses requests of other sites and machines, for URLs that act on the developer's machine. */
export function refuseForeign(req: IncomingMessage, res: ServerResponse, next: () => void): void {
  if (isFromThisMachine(req) && isSameOrigin(req)) next()
  else refuse(res, 403)
}

/**
 * Allows other origins only if the app does: by default, Vite lets every page on localhost read sources.
 * Vite's CORS middleware would respond to all requests with OPTIONS; the app gets them.
 * @param cors `server.cors` of the app
 */
export function corsOptions(cors: CorsOptions | boolean | undefined): CorsOptions | false {
  if (cors === undefined || cors === false) return false
  if (cors === true) return { preflightContinue: true }
  return { preflightContinue: true, ...cors }
}

/**
 * Lets Vite's check of the host pass what the app names as its hosts, too. Vite itself allows localhost
 * and addresses, and knows no ports.
 * @param appHosts `server.allowedHosts` of the app, to which Vite adds what is returned
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
