import { createServer } from 'node:http'

/**
 * Requests to the app in `e2e/fixtures/nextSame`, which each framework has built. If two frameworks
 * behave the same, a probe returns equal results for both.
 * @typedef {{ origin: string }} Server
 * @typedef {(server: Server) => Promise<unknown>} Probe
 */

/** Creates a server that counts its requests by path. */
export function createUpstream() {
  /** @type {Map<string, number>} */
  const counts = new Map()
  return createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    const count = (counts.get(pathname) ?? 0) + 1
    counts.set(pathname, count)
    if (pathname === '/broken') response.statusCode = 500
    if (pathname.startsWith('/echo/')) {
      response.setHeader('content-type', 'text/x-own; charset=utf-8')
      response.setHeader('x-own', 'own')
      response.end('echoed')
    } else response.end(String(count))
  })
}

/** @param {Server} server @param {string} path @param {RequestInit} [init] */
const send = ({ origin }, path, init) => fetch(origin + path, { redirect: 'manual', ...init })

/** @param {Server} server @param {string} path @param {RequestInit} [init] */
async function heading(server, path, init) {
  const response = await send(server, path, init)
  const html = (await response.text()).replaceAll('<!-- -->', '')
  const text = /<h1>(.*?)<\/h1>/s.exec(html)?.[1]
  return response.status === 404 || text === undefined
    ? `status ${response.status}`
    : text.replaceAll('&quot;', '"')
}

/** @param {Server} server @returns {Promise<string[]>} */
const readLog = async (server) => (await send(server, '/log')).json()

/**
 * Creates a probe that requests a page, and returns everything that the app logs until a short time
 * later, sorted.
 * @param {string} path @param {RequestInit} [init] @returns {Probe}
 */
const logged = (path, init) => async (server) => {
  await readLog(server)
  const response = await send(server, path, init)
  await response.text()
  await new Promise((resolve) => setTimeout(resolve, 500))
  return { status: response.status, lines: (await readLog(server)).sort() }
}

/**
 * Creates a probe that requests a page twice, and reports which values are the same and which are
 * new.
 * @param {string} path
 * @returns {Probe}
 */
const twice = (path) => async (server) => {
  const first = await values(server, path)
  const second = await values(server, path)
  const entries = Object.entries(first).map(([name, value]) => {
    return [name, value === second[name] ? 'same' : 'new']
  })
  return Object.fromEntries(entries)
}

/** @param {Server} server @param {string} path @returns {Promise<Record<string, unknown>>} */
async function values(server, path) {
  const text = await (await send(server, path)).text()
  const json = text.startsWith('{') ? text : /<h1>(\{.*?\})<\/h1>/s.exec(text)?.[1]
  return JSON.parse((json ?? '{}').replaceAll('&quot;', '"'))
}

// Ignore Twitter tags that repeat Open Graph tags, because X falls back to Open Graph and
// frameworks differ in these tags. Ignore icon tags, because an icon file may contain several
// sizes.
const leftOut = /charset|rel="(?:stylesheet|preload|modulepreload|expect)"|image\/x-icon/i
const filled = /name="twitter:(?:title|description|image)/

/**
 * Creates a probe that reads the tags in a page's head.
 * @param {string} path
 * @param {boolean} [hasCustomCard]
 * @returns {Probe}
 */
const head = (path, hasCustomCard) => async (server) => {
  const html = await (await send(server, path)).text()
  const tags = html.match(/<(?:meta|link|title)\b[^>]*>(?:[^<]*<\/title>)?/g) ?? []
  const compared = tags.filter((tag) => !leftOut.test(tag) && (hasCustomCard || !filled.test(tag)))
  const names = compared.map(normalized).sort()
  return Object.fromEntries(names.map((tag) => [tag, true]))
}

/**
 * Removes the names of a build and of its files from a tag, and the mark that only Waymark adds.
 * @param {string} tag
 */
function normalized(tag) {
  const unmarked = tag.replace(' data-waymark-metadata=""', '')
  const attributes = [...unmarked.matchAll(/([\w-]+)="([^"]*)"/g)].map(
    ([, name = '', value = '']) => {
      const isPicture = /\/_waymark\/assets\/|\?[\w.-]+$|image\/image\.png$|-image$/.test(value)
      const text = isPicture ? 'a picture' : value.split(', ').sort().join(', ')
      return `${name.toLowerCase()}=${text}`
    },
  )
  const text = />([^<]+)</.exec(tag)?.[1] ?? ''
  return [/^<(\w+)/.exec(tag)?.[1], ...attributes.sort(), text].join(' ').trim()
}

/**
 * Creates a probe that reads a file's lines or elements, sorted.
 * @param {string} path
 * @returns {Probe}
 */
const lines = (path) => async (server) => {
  const response = await send(server, path)
  const type = response.headers.get('content-type')?.split(';')[0]
  const text = (await response.text()).replaceAll('><', '>\n<').replaceAll(' />', '/>')
  const all = text.split(/\s*\n\s*/).filter((line) => line !== '' && !line.startsWith('<urlset'))
  if (response.status !== 200) return response.status
  return { type, lines: type === 'application/xml' ? all.sort() : all }
}

/** @param {Server} server */
async function draftCookie(server) {
  const response = await send(server, '/draft/switch/on')
  return response.headers.getSetCookie()[0]?.split(';')[0] ?? ''
}

/** @param {Server} server @param {string} path */
async function asEditor(server, path) {
  return heading(server, path, { headers: { cookie: await draftCookie(server) } })
}

const who = { headers: { cookie: 'who=ada', 'x-who': 'ada' } }

/** @type {Record<string, Probe>} */
const afterProbes = {
  'after() of layout, page and metadata': logged('/after/dynamic'),
  'after() of a static page that was built': logged('/after/static'),
  'after() and redirect()': logged('/after/ends/redirect'),
  'after() and notFound()': logged('/after/ends/missing'),
  'after() and an error': logged('/after/ends/error'),
  'after() of a page, which reads the request': logged('/after/read', who),
  'after() of a route handler': logged('/after/handler', who),
  'after() and cache() of React': logged('/after/memo'),
  'after() of a proxy': logged('/after/proxied'),
  'after() that ends a page': async (server) => {
    const before = await heading(server, '/after/renewed')
    const log = await logged('/after/renew')(server)
    return { log, isRenewed: before !== (await heading(server, '/after/renewed')) }
  },
}

/** @type {Record<string, Probe>} */
const draftProbes = {
  'a page without drafts': async (server) => {
    const first = await heading(server, '/draft')
    const second = await heading(server, '/draft')
    const [isEnabled, , inside] = JSON.parse(first)
    return { isEnabled, inside, isStatic: first === second }
  },
  'a page with drafts': async (server) => {
    const first = JSON.parse(await asEditor(server, '/draft'))
    const second = JSON.parse(await asEditor(server, '/draft'))
    const [isEnabled, stored, inside] = first
    return { isEnabled, inside, isStored: stored === second[1], isStatic: first[3] === second[3] }
  },
  'draftMode() of a route handler': async (server) => {
    const headers = { cookie: await draftCookie(server) }
    const on = await (await send(server, '/draft/switch/on')).json()
    return { on, off: await (await send(server, '/draft/switch/off', { headers })).json() }
  },
  'a made up pass': async (server) => {
    const cookie = (await draftCookie(server)).replace(/=.*/, '=forged')
    return JSON.parse(await heading(server, '/draft', { headers: { cookie } }))[0]
  },
  'listed pages': async (server) => ({
    visitor: [
      await heading(server, '/draft/listed/one'),
      await heading(server, '/draft/listed/two'),
    ],
    editor: [
      await asEditor(server, '/draft/listed/one'),
      await asEditor(server, '/draft/listed/two'),
    ],
  }),
}

const fetchPages = [
  'dynamic',
  'forced',
  'zero',
  'minute',
  'minute-dynamic',
  'default-cache',
  'force-cache',
  'only-cache',
  'default-no-store',
  'force-no-store',
  'only-no-store',
  'static',
  'error',
  'auto',
  'auto-fresh',
  'cookies',
  'handler',
  'handler-static',
  'request',
]

/** @type {Record<string, Probe>} */
const fetchProbes = {
  ...Object.fromEntries(fetchPages.map((name) => [`fetch, ${name}`, twice(`/fetch/${name}`)])),
  'fetch, shared in a rendering': async (server) => {
    const html = (await (await send(server, '/fetch/shared')).text()).replaceAll('&quot;', '"')
    const json = JSON.parse(/<h1>(\{.*?\})<\/h1>/s.exec(html)?.[1] ?? '{}')
    const layout = /<h2>(.*?)<\/h2>/.exec(html)?.[1]
    return { ...json, plain: json.plain === layout && html.includes(`content="${layout}"`) }
  },
  'fetch, force-static': (server) => heading(server, '/fetch/statically?a=b', who),
  'fetch, a stored response': async (server) =>
    JSON.parse(await heading(server, '/fetch/response')),
  'fetch, a broken response': async (server) => {
    const [status, first, second] = JSON.parse(await heading(server, '/fetch/broken'))
    return { status, isShared: first === second }
  },
  'fetch, an ended tag': async (server) => {
    const read = async () => JSON.parse(await heading(server, '/fetch/tags'))
    const before = await read()
    await send(server, '/fetch/tags/end', { method: 'POST' })
    const after = await read()
    return { ended: before[0] !== after[0], other: before[1] === after[1] }
  },
}

const kinds = [
  'website',
  'article',
  'book',
  'profile',
  'music.song',
  'music.album',
  'music.playlist',
  'music.radio_station',
  'video.movie',
  'video.episode',
  'titles',
  'plain',
  'summary',
  'app',
  'player',
  'icon',
  'icon-list',
  'robots',
  'apple',
  'canonical',
  'authors',
  'template',
]

const files = [
  '/sitemap.xml',
  '/meta/products/sitemap/0.xml',
  '/meta/products/sitemap/b.xml',
  '/meta/products/sitemap/c.xml',
  '/robots.txt',
  '/manifest.webmanifest',
]

const pictures = ['/icon.svg', '/meta/files/icon.png', '/meta/files/opengraph-image.png']

/** @type {Record<string, Probe>} */
const metadataProbes = {
  'metadata, a card of its own': head('/meta/graph/summary', true),
  'metadata, every field': head('/meta/all'),
  ...Object.fromEntries(kinds.map((kind) => [`metadata, ${kind}`, head(`/meta/graph/${kind}`)])),
  'image files': head('/meta/files'),
  'image files above': head('/meta/files/inside'),
  'drawn images': head('/meta/files/drawn'),
  'a drawn image of a param': head('/meta/sized/one'),
  'pictures by their names': async (server) => {
    const read = pictures.map(async (path) => {
      const response = await send(server, path)
      return `${response.status} ${response.headers.get('content-type')}`
    })
    return Promise.all(read)
  },
  ...Object.fromEntries(files.map((path) => [path, lines(path)])),
}

/** @type {Record<string, Probe>} */
export const probes = { ...afterProbes, ...draftProbes, ...fetchProbes, ...metadataProbes }
