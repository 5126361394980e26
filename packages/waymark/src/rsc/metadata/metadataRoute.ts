import { type MetadataFileKind, metadataFileKind } from '../../routing/metadataFile.ts'
import { frameworkError } from '../../shared/errors.ts'
import type { RobotsFile, Sitemap, WebManifest } from '../../shared/metadataFiles.ts'
import { isClientReference } from '../page/clientReference.ts'
import { manifestJson, robotsTxt, sitemapXml } from './files.ts'

type Module = Readonly<Record<string, unknown>>
type Imports<Loaded> = Readonly<Record<string, () => Promise<Loaded>>>

/**
 * Makes route handlers of the metadata files among the imports of an app's route files.
 * @param imports by the file, relative to the app folder
 */
export function withMetadataRoutes<Loaded extends Module>(
  imports: Imports<Loaded>,
): Imports<Loaded | Module> {
  const entries = Object.entries(imports).map(([file, load]) => {
    const kind = metadataFileKind(file)
    return [file, kind ? async () => metadataRoute(file, kind, await load()) : load] as const
  })
  return Object.fromEntries(entries)
}

/**
 * Makes a route handler of a metadata file: its default export gives what GET answers with.
 * @throws `METADATA_FILE_EXPORT`; the handler itself `METADATA_FILE_RESULT`
 */
export function metadataRoute(file: string, kind: MetadataFileKind, module: Module): Module {
  const { default: make, dynamic = 'auto', revalidate, expire } = module
  const { dynamicParams, generateStaticParams } = module
  if (typeof make !== 'function' || isClientReference(make)) {
    throw frameworkError('METADATA_FILE_EXPORT', { file: `app/${file}`, kind })
  }
  const { problemOf, write, contentType, shape } = formats[kind]
  async function GET(_request: Request, context: unknown): Promise<Response> {
    const value: unknown = await (make as (context: unknown) => unknown)(context)
    const reason = problemOf(value)
    if (reason !== null) {
      throw frameworkError('METADATA_FILE_RESULT', { file: `app/${file}`, reason, shape })
    }
    return new Response(write(value), { headers: { 'content-type': contentType } })
  }
  // Nothing else that it exports: a function by the name of a method is no handler here.
  return { GET, dynamic, revalidate, expire, dynamicParams, generateStaticParams }
}

type Format = {
  readonly contentType: string
  /** What is wrong with a value; `null` for nothing. */
  readonly problemOf: (value: unknown) => string | null
  /** @param value one that `problemOf` has nothing against */
  readonly write: (value: unknown) => string
  /** What the file's function is to return. */
  readonly shape: string
}

const formats: Readonly<Record<MetadataFileKind, Format>> = {
  sitemap: {
    // The XML declaration names the charset.
    contentType: 'application/xml',
    problemOf: sitemapProblem,
    write: (value) => sitemapXml(value as Sitemap),
    shape: "a list of pages with whole URLs: [{ url: 'https://example.com/about' }]",
  },
  robots: {
    contentType: 'text/plain; charset=utf-8',
    problemOf: (value) =>
      isObject(value) && isObject(value.rules) ? null : 'it returned no object with rules',
    write: (value) => robotsTxt(value as RobotsFile),
    shape: "one such as { rules: { userAgent: '*', disallow: '/account' } }",
  },
  manifest: {
    // JSON is UTF-8 always.
    contentType: 'application/manifest+json',
    problemOf: (value) =>
      isObject(value) && !Array.isArray(value) ? null : 'it returned no object',
    write: (value) => manifestJson(value as WebManifest),
    shape: "one such as { name: 'Acme', start_url: '/' }",
  },
}

// Crawlers leave out what has no whole URL, and tell nobody.
function sitemapProblem(value: unknown): string | null {
  if (!Array.isArray(value)) return 'it returned no list'
  const index = value.findIndex((entry) => !isObject(entry) || !URL.canParse(String(entry.url)))
  if (index === -1) return null
  const url = isObject(value[index]) ? value[index].url : undefined
  return `entry ${index} of its list has ${url === undefined ? 'no url' : `the url ${JSON.stringify(url)}, which is not a whole one`}`
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
