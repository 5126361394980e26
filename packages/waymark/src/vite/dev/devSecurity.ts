import type { IncomingMessage, ServerResponse } from 'node:http'
import type { CorsOptions } from 'vite'
import { refuse } from '../../node/refuse.ts'
import { readOrigin } from '../../node/request.ts'
import { buildLayout } from '../../shared/buildManifest.ts'

/** What Vite denies where `server.fs.deny` is not set: a value of its own takes their place. */
export const viteDenies = [
  '.env',
  '.env.*',
  '*.{crt,pem,key,p12,pfx,cer,der}',
  '.npmrc',
  '.yarnrc.yml',
  '**/.git/**',
]

/**
 * Keeps the dev server from serving anything of a build folder: it holds the key that seals what
 * actions close over, and the errors of visitors. The folders of other apps in the same workspace
 * are meant, too, since Vite serves all of it.
 * @param given `server.fs.deny` of the app's Vite configuration, to which Vite adds what is returned
 */
export function denyOptions(given: readonly string[] | undefined): string[] {
  const own = `**/${buildLayout.folder}/**`
  return given === undefined ? [...viteDenies, own] : [own]
}

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

/**
 * Opens the dev server to other origins only where the app asks for it: by itself, Vite lets every
 * page on localhost read the sources. Lets requests with OPTIONS go on to the app: Vite's CORS middleware would answer each of them
 * itself, also those that are no preflight.
 * @param given `server.cors` of the app's Vite configuration
 */
export function corsOptions(given: CorsOptions | boolean | undefined): CorsOptions | false {
  if (given === undefined || given === false) return false
  if (given === true) return { preflightContinue: true }
  return { preflightContinue: true, ...given }
}
