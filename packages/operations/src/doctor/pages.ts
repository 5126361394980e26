import { assetsPrefix } from 'waymark/adapter'
import { payloadUrl } from 'waymark/plugin/node'
import { below, type Exchange, send } from './exchange.ts'

/** A page as a browser receives it. */
export type SeenPage = {
  readonly url: URL
  readonly status: number
  /** Id of the build that rendered the page; `null` if the page isn't from Waymark. */
  readonly build: string | null
  /** URLs of the scripts and style sheets. */
  readonly files: readonly string[]
}

/** The response to a request for a page's data, or for a file. */
export type SeenFile = {
  readonly status: number
  readonly type: string
  readonly build: string | null
}

const maxRedirects = 3

/**
 * Opens a server's page at `/`, and follows redirects to pages of the same site.
 * @throws an error with a message for the user of the command
 */
export async function openPage(server: string): Promise<SeenPage> {
  let url = below(server, '/')
  for (let redirects = 0; ; redirects++) {
    const response = await send(url, { headers: { accept: 'text/html' } })
    const { status, headers, body } = response
    const page = { url, status, build: buildIdOf(response), files: namedFiles(body, url) }
    if (status < 300 || status >= 400 || headers.location === undefined) return page
    const target = URL.canParse(headers.location, url.href) ? new URL(headers.location, url) : null
    if (target?.origin !== url.origin || redirects === maxRedirects) return page
    url = target
  }
}

/** Requests the data of a page, as the router of an open page does. */
export async function openData(server: string, page: SeenPage): Promise<SeenFile> {
  const { pathname: base } = below(server, '')
  const prefix = base === '/' ? '' : base
  const inner = page.url.pathname.slice(prefix.length).replace(/(.)\/$/, '$1') || '/'
  return seen(await send(below(server, payloadUrl(inner, ''))))
}

/** @returns `null` if there is no response */
export async function lookAt(url: string): Promise<SeenFile | null> {
  try {
    return seen(await send(new URL(url), { method: 'HEAD' }))
  } catch {
    // The host can't be reached.
    return null
  }
}

export function assetUrl(origin: string, name: string): string {
  return below(origin, `${assetsPrefix}${name}`).href
}

function seen(response: Exchange): SeenFile {
  const { status, headers } = response
  return { status, type: headers['content-type'] ?? '', build: buildIdOf(response) }
}

const buildHeader = 'waymark-build'

function buildIdOf({ headers }: Pick<Exchange, 'headers'>): string | null {
  const id = headers[buildHeader]
  // A variant's id is the id of the build, a dot and the variant's name.
  return typeof id === 'string' ? (id.split('.', 1)[0] ?? id) : null
}

// Maximum number of files of a page. A hostile page could name any number.
const maxFiles = 500

/** @returns the URLs of the hashed files to which attributes of a document refer */
export function namedFiles(html: string, documentUrl: URL): string[] {
  const attribute = /\b(?:src|href)="([^"<>\s]+)"/g
  const urls = [...html.matchAll(attribute)].flatMap(([, reference = '']) => {
    if (!reference.includes(assetsPrefix)) return []
    const text = reference.replaceAll('&amp;', '&')
    if (!URL.canParse(text, documentUrl)) return []
    const url = new URL(text, documentUrl)
    const isFile = /^https?:$/.test(url.protocol) && url.pathname.includes(assetsPrefix)
    return isFile ? [url.href] : []
  })
  return [...new Set(urls)].slice(0, maxFiles)
}
