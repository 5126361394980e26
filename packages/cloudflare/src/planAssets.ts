import { createHash } from 'node:crypto'
import { assetsPrefix, type BuildContents, type BuildFile } from 'waymark/adapter'

/** The files that Cloudflare stores for a worker, and the rules for serving them. */
export type AssetPlan = {
  /** Files to copy. `to` is relative to the folder of assets, `from` to the build's folder. */
  readonly copies: readonly { readonly to: string; readonly from: string }[]
  /** The build's contents, in which each file is named by the path of its asset. */
  readonly contents: BuildContents
  /** Text of the file `_headers`. */
  readonly headers: string
  /** Rules that decide for which URLs the worker runs before an asset is sent. */
  readonly runWorkerFirst: readonly string[]
  /** Number of files that could be sent without the worker, if there were enough rules. */
  readonly withoutRule: number
}

/** Folder of the assets that only the worker reads. */
const workerFolder = '/_waymark/build/'

// Cloudflare accepts 100 rules in `_headers` and 100 for the worker. The other rules need two.
const maxRules = 100 - 2

// Longest rule that Cloudflare accepts, in characters.
const maxRuleLength = 100

// Longest line in `_headers`, in characters.
const maxHeaderLength = 2_000

/**
 * Decides which files Cloudflare sends by itself, without running the worker.
 *
 * The worker runs for each request, except for requests for hashed assets and some files in
 * `public/`. So a new kind of file is closed to clients until a rule opens it. Guarded files never
 * get a rule.
 */
export function planAssets(contents: BuildContents, basePath: string): AssetPlan {
  const assetsOf = Object.entries(contents.files)
  const hashed = assetsOf.filter(([pathname]) => pathname.startsWith(assetsPrefix))
  const areHashedOpen = hashed.every(([, file]) => !file.isGuarded)
  const open = assetsOf.filter(
    ([pathname, file]) =>
      !pathname.startsWith(assetsPrefix) && mayBeOpen(basePath + pathname, file),
  )
  const ruled = open.slice(0, maxRules)
  const pathOf = new Map<string, string>()
  for (const [pathname, { file }] of ruled) pathOf.set(file, basePath + pathname)
  if (areHashedOpen) {
    for (const [pathname, { file }] of hashed) pathOf.set(file, basePath + decodeURI(pathname))
  }
  const assetPathOf = (file: string) => pathOf.get(file) ?? workerFolder + nameOf(file)

  const named = nameFilesByAssets(contents, assetPathOf)
  const [firstHashed] = hashed
  return {
    copies: listFiles(contents).map((from) => ({ from, to: assetPathOf(from).slice(1) })),
    contents: named,
    headers: headersFile([
      ...(areHashedOpen && firstHashed
        ? [{ path: `${basePath}${assetsPrefix}*`, headers: sharedHeaders(firstHashed[1]) }]
        : []),
      ...ruled.map(([pathname, file]) => ({ path: basePath + pathname, headers: file.headers })),
    ]),
    runWorkerFirst: [
      '/*',
      ...(areHashedOpen ? [`!${basePath}${assetsPrefix}*`] : []),
      ...ruled.map(([pathname]) => `!${basePath}${pathname}`),
    ],
    withoutRule: open.length - ruled.length,
  }
}

/**
 * True if Cloudflare sends the file as Waymark does. Cloudflare ignores ranges, which browsers
 * request from media files and PDFs. It also redirects some spellings of a URL, so only paths with
 * one spelling qualify.
 */
function mayBeOpen(path: string, file: BuildFile): boolean {
  const type = headerOf(file, 'content-type') ?? ''
  return (
    !file.isGuarded &&
    file.status === 200 &&
    /^[\w/.-]+$/.test(path) &&
    !reservedNames.test(path) &&
    !path.startsWith(workerFolder) &&
    path.length < maxRuleLength &&
    !/^(?:audio|video)\/|^application\/(?:pdf|octet-stream)/.test(type) &&
    file.headers.every(([name, value]) => isHeaderLine(`${name}: ${value}`))
  )
}

// Files with these names configure how Cloudflare uploads and sends the assets.
const reservedNames = /^\/(?:_headers|_redirects|_worker\.js|\.assetsignore)$/

function isHeaderLine(line: string): boolean {
  // Cloudflare ignores longer lines and empty values. A line that begins with a slash or looks like
  // a URL begins a new rule.
  return line.length < maxHeaderLength && /^[\w-]+: [^\s]/.test(line)
}

/** Headers that all hashed assets share. Cloudflare finds their types by their extensions. */
function sharedHeaders({ headers }: BuildFile): BuildFile['headers'] {
  return headers.filter(([name]) => name.toLowerCase() !== 'content-type')
}

type HeaderRule = { readonly path: string; readonly headers: BuildFile['headers'] }

function headersFile(rules: readonly HeaderRule[]): string {
  return rules
    .map(({ path, headers }) => {
      const lines = headers.map(([name, value]) => `  ${name}: ${value}\n`)
      return `${path}\n${lines.join('')}`
    })
    .join('')
}

function headerOf({ headers }: BuildFile, name: string): string | undefined {
  return headers.find(([each]) => each.toLowerCase() === name)?.[1]
}

/** Lists the paths of all files of a build, without the compressed versions. */
function listFiles({ files, pages, shells, notFound }: BuildContents): string[] {
  const all = [...Object.values(files), ...Object.values(pages), ...Object.values(shells)]
  return [...new Set([...all, ...(notFound ? [notFound] : [])].map(({ file }) => file))]
}

/**
 * Replaces the paths of files by the paths of their assets. Leaves out the compressed files, because
 * Cloudflare compresses responses itself.
 */
function nameFilesByAssets(
  { files, pages, shells, notFound, builtAtMs }: BuildContents,
  assetPathOf: (file: string) => string,
): BuildContents {
  const rename = <File extends { readonly file: string }>(entry: File): File => ({
    ...entry,
    file: assetPathOf(entry.file),
    ...('compressed' in entry && { compressed: {} }),
  })
  return {
    builtAtMs,
    files: mapValues(files, rename),
    pages: mapValues(pages, rename),
    shells: mapValues(shells, rename),
    notFound: notFound && rename(notFound),
  }
}

function mapValues<Value>(
  record: Readonly<Record<string, Value>>,
  change: (value: Value) => Value,
): Record<string, Value> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]))
}

/** Returns a name without special characters, which Cloudflare would encode in its own way. */
function nameOf(file: string): string {
  return createHash('sha256').update(file).digest('hex').slice(0, 32)
}
