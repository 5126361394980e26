import { isClientReference } from '../../react/clientReference.ts'
import {
  fileParam,
  imageFileOf,
  metadataFileKind,
  type TextFileKind,
  textFileName,
} from '../../routing/routeFile.ts'
import { frameworkError } from '../../shared/errors.ts'
import { escapeHtml } from '../../shared/html.ts'
import { isRecord } from '../../shared/maps.ts'
import type { RobotsFile, Sitemap, SitemapEntry } from './metadata.ts'
import type { UrlInput } from './openGraph.ts'
import { idsOf, imageRoute, pictureModule, staticParamsOf } from './pageImages.ts'
import type { TagContent } from './tags.ts'
import { listOf } from './values.ts'

type Module = Readonly<Record<string, unknown>>
type Imports<Loaded> = Readonly<Record<string, () => Promise<Loaded>>>

export function withMetadataRoutes<Loaded extends Module>(
  imports: Imports<Loaded>,
): Imports<Loaded | Module> {
  const entries = Object.entries(imports).map(([file, load]) => {
    const image = imageFileOf(file)
    if (image?.type) return [file, async () => pictureModule(await load())] as const
    if (image) {
      const page = pageBeside(file, imports)
      return [file, async () => imageRoute(file, await load(), await page?.())] as const
    }
    const kind = metadataFileKind(file) as TextFileKind | null
    if (kind && textFileName(file))
      return [file, async () => textRoute(kind, await load())] as const
    return [file, kind ? async () => metadataRoute(file, kind, await load()) : load] as const
  })
  return Object.fromEntries(entries)
}

function pageBeside<Loaded>(file: string, imports: Imports<Loaded>) {
  const folder = file.slice(0, file.lastIndexOf('/') + 1)
  const page = Object.keys(imports).find(
    (each) => each.startsWith(`${folder}page.`) && each.lastIndexOf('/') + 1 === folder.length,
  )
  return page === undefined ? undefined : imports[page]
}

function textRoute(kind: TextFileKind, { text }: Module): Module {
  const headers = { 'content-type': formats[kind].contentType }
  const respond = () => new Response(text as string, { headers })
  return { GET: respond, dynamic: 'force-static' }
}

/**
 * Creates the route handler of a metadata file. @throws `METADATA_FILE_EXPORT`; the handler itself
 * throws `METADATA_FILE_RESULT`
 */
export function metadataRoute(file: string, kind: TextFileKind, module: Module): Module {
  const { default: make, dynamic = 'auto', revalidate, expire } = module
  const { dynamicParams, generateStaticParams, generateSitemaps } = module
  if (typeof make !== 'function' || isClientReference(make)) {
    throw frameworkError('METADATA_FILE_EXPORT', { file: `app/${file}`, kind })
  }
  const { problemOf, write, contentType, shape } = formats[kind]
  // The function's result is checked when it runs, so cast.
  const list = generateSitemaps as GenerateSitemaps | undefined
  async function GET(_request: Request, context: FileContext): Promise<Response> {
    const fileContext = list ? await sitemapContext(file, list, context) : context
    if (fileContext === null) return new Response('404 Not Found\n', { status: 404 })
    const value: unknown = await (make as (context: FileContext) => unknown)(fileContext)
    const reason = problemOf(value)
    if (reason !== null) {
      throw frameworkError('METADATA_FILE_RESULT', { file: `app/${file}`, reason, shape })
    }
    return new Response(write(value), { headers: { 'content-type': contentType } })
  }
  // Drop all other exports: in a metadata file, a `POST` isn't a handler, for example.
  const rendering = { GET, dynamic, revalidate, expire, dynamicParams }
  if (!list) return { ...rendering, generateStaticParams }
  const namesOf = async () => (await sitemapIds(file, list)).map((id) => `${id}.xml`)
  const modules = { image: module, page: undefined }
  return { ...rendering, generateStaticParams: staticParamsOf(file, modules, namesOf) }
}

type FileContext = {
  readonly params: Promise<Readonly<Record<string, string | readonly string[]>>>
  /** Id of the sitemap if the file creates several. */
  readonly id?: Promise<string>
}

type GenerateSitemaps = () => unknown

async function sitemapIds(file: string, list: GenerateSitemaps): Promise<readonly string[]> {
  const shape = 'one such as [{ id: 0 }, { id: 1 }]'
  return idsOf(file, await list(), { name: 'generateSitemaps', shape })
}

/** Returns the context for a sitemap's URL, or `null` if no sitemap has this URL. */
async function sitemapContext(
  file: string,
  list: GenerateSitemaps,
  context: FileContext,
): Promise<FileContext | null> {
  const { [fileParam]: name, ...params } = await context.params
  const id = (await sitemapIds(file, list)).find((each) => `${each}.xml` === name)
  return id === undefined ? null : { params: Promise.resolve(params), id: Promise.resolve(id) }
}

type Format = {
  readonly contentType: string
  readonly problemOf: (value: unknown) => string | null
  readonly write: (value: unknown) => string
  readonly shape: string
}

const formats: Readonly<Record<TextFileKind, Format>> = {
  sitemap: {
    // The XML declaration states the charset.
    contentType: 'application/xml',
    problemOf: sitemapProblem,
    write: (value) => sitemapXml(value as Sitemap),
    shape: "a list of pages with absolute URLs: [{ url: 'https://example.com/about' }]",
  },
  robots: {
    contentType: 'text/plain; charset=utf-8',
    problemOf: (value) =>
      isRecord(value) && isRecord(value.rules) ? null : 'it did not return an object with rules',
    write: (value) => robotsTxt(value as RobotsFile),
    shape: "one such as { rules: { userAgent: '*', disallow: '/account' } }",
  },
  manifest: {
    // JSON is always UTF-8, so omit the charset.
    contentType: 'application/manifest+json',
    problemOf: (value) =>
      isRecord(value) && !Array.isArray(value) ? null : 'it did not return an object',
    write: (value) => JSON.stringify(value),
    shape: "one such as { name: 'Acme', start_url: '/' }",
  },
}

// Describes the first problem with a sitemap, or returns `null`. URLs must be absolute, because
// crawlers silently skip relative ones.
function sitemapProblem(value: unknown): string | null {
  if (!Array.isArray(value)) return 'it did not return a list'
  const index = value.findIndex((entry) => !isRecord(entry) || !URL.canParse(String(entry.url)))
  if (index === -1) return null
  const url = isRecord(value[index]) ? value[index].url : undefined
  return `entry ${index} of its list has ${url === undefined ? 'no url' : `the url ${JSON.stringify(url)}, which is not absolute`}`
}

/** Writes a sitemap as XML. @see https://www.sitemaps.org/protocol.html */
export function sitemapXml(entries: Sitemap): string {
  const lines = entries.flatMap(sitemapLines)
  const start = `<?xml version="1.0" encoding="UTF-8"?>\n<urlset${namespaces(entries)}>`
  return [start, ...lines, '</urlset>', ''].join('\n')
}

/** Writes a robots.txt. @see RFC 9309 */
export function robotsTxt({ rules, host, sitemap }: RobotsFile): string {
  const groups = listOf(rules).flatMap((rule) => {
    const { userAgent, allow, disallow, crawlDelay, ...others } = rule
    const directives = { Allow: allow, Disallow: disallow, 'Crawl-delay': crawlDelay, ...others }
    return listOf(userAgent ?? '*').map((agent) =>
      directiveLines({ 'User-Agent': agent, ...directives }),
    )
  })
  const site = directiveLines({ Host: host, Sitemap: sitemap })
  return [...groups, ...(site === '' ? [] : [site])].join('\n')
}

function directiveLines(directives: Readonly<Record<string, TagContent>>): string {
  return Object.entries(directives)
    .flatMap(([name, values]) => listOf(values ?? []).map((value) => [name, value]))
    .map(([name, value]) => {
      // A line break in a value would start a new directive.
      return `${name}: ${String(value).replace(/[\r\n]+/g, ' ')}\n`
    })
    .join('')
}

function namespaces(entries: Sitemap): string {
  const hasLanguages = entries.some((entry) => entry.alternates?.languages)
  const hasImages = entries.some((entry) => entry.images?.length)
  const hasVideos = entries.some((entry) => entry.videos?.length)
  return [
    ' xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"',
    hasLanguages ? ' xmlns:xhtml="http://www.w3.org/1999/xhtml"' : '',
    hasImages ? ' xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"' : '',
    hasVideos ? ' xmlns:video="http://www.google.com/schemas/sitemap-video/1.1"' : '',
  ].join('')
}

function sitemapLines(entry: SitemapEntry): string[] {
  const { lastModified, changeFrequency, priority, images, videos } = entry
  const modified = lastModified instanceof Date ? lastModified.toISOString() : lastModified
  const element = (name: string, value: UrlInput | number | null | undefined) =>
    value || value === 0 ? [`<${name}>${xml(value)}</${name}>`] : []
  return [
    '<url>',
    ...element('loc', entry.url),
    ...Object.entries(entry.alternates?.languages ?? {}).flatMap(([language, url]) =>
      url ? [languageLine(language, url)] : [],
    ),
    ...(images ?? []).map((url) => `<image:image>${element('image:loc', url)}</image:image>`),
    ...(videos ?? []).map((video) => `<video:video>${videoElements(video)}</video:video>`),
    ...element('lastmod', modified),
    ...element('changefreq', changeFrequency),
    ...element('priority', priority),
    '</url>',
  ]
}

/**
 * Writes a video's XML elements. In an object, `content` is the element's text, and all other
 * properties are attributes.
 */
function videoElements(video: object): string {
  return Object.entries(video)
    .flatMap(([name, values]) => listOf(values ?? []).map((value) => [name, value] as const))
    .map(([name, value]) => {
      const isPlain = !isRecord(value) || value instanceof Date || value instanceof URL
      const { content = '', ...attributes } = isPlain ? { content: value } : value
      const written = Object.entries(attributes).map(
        ([key, each]) => ` ${key}="${xml(textOf(each))}"`,
      )
      return `<video:${name}${written.join('')}>${xml(textOf(content))}</video:${name}>`
    })
    .join('')
}

function textOf(value: unknown): string {
  return value instanceof Date ? value.toISOString() : String(value)
}

function languageLine(language: string, url: UrlInput): string {
  return `<xhtml:link rel="alternate" hreflang="${xml(language)}" href="${xml(url)}"/>`
}

// Escapes a value as in HTML, because HTML's escapes are valid in XML, too.
function xml(value: UrlInput | number): string {
  return escapeHtml(String(value))
}
