import {
  type AppBuild,
  assetsPrefix,
  type BuildContents,
  type BuildFile,
  type BuildPage,
  draftCookie,
  type HeaderLines,
} from 'waymark/adapter'

/** A rule of `config.json`. Vercel applies the rules in order. */
export type Route =
  | { readonly handle: 'filesystem' | 'hit' }
  | {
      /** Regular expression for the whole pathname. */
      readonly src: string
      /** Path of the file or function that responds. */
      readonly dest?: string
      readonly methods?: readonly string[]
      /** Parts that a request must not have. */
      readonly missing?: readonly { readonly type: 'cookie' | 'header'; readonly key: string }[]
      readonly headers?: Readonly<Record<string, string>>
      readonly continue?: true
      readonly caseSensitive?: true
    }

export type StaticFile = {
  /** Path below `static/`, without a slash at the start. */
  readonly path: string
  /** Path of the file relative to the build's folder. */
  readonly from: string
  readonly contentType: string
}

export type OutputPlan = {
  /** Files that the CDN sends without asking the function. */
  readonly files: readonly StaticFile[]
  readonly routes: readonly Route[]
  /** Files that the function reads, by their paths relative to the build's folder. */
  readonly functionFiles: readonly string[]
}

/** Path of the function below `functions/`. */
export const functionPath = '_waymark/function'

/**
 * Decides what Vercel's CDN sends, and what the function sends. The function can send everything, so
 * the CDN gets only files and pages that are the same for each request until the next build. It
 * gets nothing that proxy.ts or `around()` guards.
 */
export function planOutput(contents: BuildContents, urls: Urls): OutputPlan {
  const candidates = [...staticFiles(contents, urls), ...staticPages(contents, urls)]
  const groups = groupByHeaders(candidates).slice(0, maxGroups)
  const files = groups.flatMap(({ kind, members }) =>
    members.map(({ url, file, contentType }) => ({
      path: (kind === 'page' ? pageFile(url) : url).slice(1),
      from: file.file,
      contentType,
    })),
  )
  const ofCdn = new Set(
    groups.flatMap(({ kind, members }) => (kind === 'page' ? [] : members.map(sourceOf))),
  )
  return {
    files,
    routes: listRoutes(groups, urls),
    functionFiles: filesToRead(contents).filter((file) => !ofCdn.has(file)),
  }
}

type Urls = Pick<AppBuild, 'basePath' | 'trailingSlash'>

/** A file or page that the CDN may send. */
type Candidate = {
  readonly kind: 'asset' | 'file' | 'page'
  /** Path in the URL, with the base path. */
  readonly url: string
  readonly file: BuildFile
  readonly contentType: string
  /** Names of request headers. If a request has one of them, the function must respond. */
  readonly functionOnHeaders: readonly string[]
}

function staticFiles({ files }: BuildContents, { basePath }: Urls): Candidate[] {
  return Object.entries(files).flatMap(([pathname, file]): Candidate[] => {
    // Vercel would also send `docs/index.html` for `/docs`, which may be a page of the app.
    const isOther = isSendable(pathname, file) && !/(?:^|\/)index\.html?$/.test(pathname)
    const contentType = headerOf(file.headers, 'content-type')
    if (!isOther || contentType === null) return []
    const kind = pathname.startsWith(assetsPrefix) ? 'asset' : 'file'
    return [{ kind, url: basePath + pathname, file, contentType, functionOnHeaders: [] }]
  })
}

/** Lists pages without a lifetime and tags. Page data has the lifetime of its document. */
function staticPages({ pages }: BuildContents, urls: Urls): Candidate[] {
  const isUnchanging = ({ life }: BuildPage) =>
    life !== null &&
    life.revalidateSeconds === null &&
    life.expireSeconds === null &&
    life.tags.length === 0
  return Object.entries(pages).flatMap(([pathname, page]): Candidate[] => {
    const owner = page.life ? page : documentOf(pathname, pages)
    const contentType = headerOf(page.headers, 'content-type')
    if (!owner || owner.isGuarded || !isUnchanging(owner)) return []
    if (!isSendable(pathname, page) || contentType === null) return []
    const url = urlOfPage(pathname, urls)
    const functionOnHeaders = page.handlerOnHeaders
    return [{ kind: 'page', url, file: page, contentType, functionOnHeaders }]
  })
}

/** Finds the document that belongs to page data. */
function documentOf(pathname: string, pages: BuildContents['pages']): BuildPage | undefined {
  const [isData, path = '/'] = /^\/_waymark\/data(\/.+)?\.rsc$/.exec(pathname) ?? []
  return isData === undefined ? undefined : pages[path]
}

/** Returns the only URL of a page. Other spellings are left to the function, which redirects. */
function urlOfPage(pathname: string, { basePath, trailingSlash }: Urls): string {
  const url = pathname === '/' && basePath !== '' ? basePath : basePath + pathname
  const hasSlash = trailingSlash && /\/[^/.]+$/.test(url) && !pathname.startsWith('/_waymark/')
  return hasSlash && !pathname.startsWith('/.well-known/') ? `${url}/` : url
}

/**
 * True if the CDN can send a response in place of the function. Paths with escaped characters are
 * left to the function, because Vercel doesn't say which spelling its rules see.
 */
function isSendable(pathname: string, { isGuarded, status, headers }: BuildFile): boolean {
  const names = headers.map(([name]) => name.toLowerCase())
  const isRecord = new Set(names).size === names.length
  return !isGuarded && status === 200 && isRecord && /^(?:\/|(?:\/[\w.~-]+)+)$/.test(pathname)
}

/** Candidates that share a rule, because they have the same headers. */
type Group = Pick<Candidate, 'kind' | 'functionOnHeaders'> & {
  readonly headers: HeaderLines
  readonly members: readonly Candidate[]
}

/**
 * Vercel allows 2,048 rules. The function sends the files and pages that are beyond this limit.
 */
const maxGroups = 1_000

/** Vercel allows 4,096 characters in a pattern. The remainder is for the parts around the paths. */
const maxPatternLength = 3_500

function groupByHeaders(candidates: readonly Candidate[]): Group[] {
  const groups = new Map<string, { group: Group; members: Candidate[]; length: number }>()
  const all: Group[] = []
  for (const candidate of candidates) {
    const { kind, url, file, functionOnHeaders } = candidate
    const headers = file.headers.filter(([name]) => name.toLowerCase() !== 'content-type')
    const key = JSON.stringify([kind, headers, functionOnHeaders])
    // One pattern matches all assets.
    const length = kind === 'asset' ? 0 : escapeRegExp(url).length + 1
    const last = groups.get(key)
    if (last && last.length + length <= maxPatternLength) {
      last.members.push(candidate)
      last.length += length
    } else if (length <= maxPatternLength) {
      const members = [candidate]
      const group = { kind, headers, functionOnHeaders, members }
      groups.set(key, { group, members, length })
      all.push(group)
    }
  }
  return all
}

/** Methods for which the function responds. Vercel doesn't forward any other method. */
const functionMethods = ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/**
 * Paths for which the function responds: the paths of the pages' files, and every path with another
 * spelling. Vercel finds a file also for some other spellings, but no rule would recognize it then.
 */
const unusualPaths = '^(?:/_waymark/pages/|.*(?:%|//|/\\.{1,2}/)).*$'

function listRoutes(groups: readonly Group[], { basePath }: Urls): Route[] {
  const dest = `/${functionPath}`
  const pages = groups.filter(({ kind }) => kind === 'page')
  const files = groups.filter(({ kind }) => kind !== 'page')
  return [
    { src: '^/.*$', methods: functionMethods, dest },
    // At the path of its file, a page would lack its headers, such as those against framing.
    { src: unusualPaths, dest },
    ...pages.flatMap(pageRoutes),
    { handle: 'filesystem' },
    { src: '^/.*$', dest },
    // The rules below apply only to files that exist. Otherwise, a browser would cache the 404 of a
    // missing script for a year.
    { handle: 'hit' },
    ...files.map((group) => fileRoute(group, basePath)),
  ]
}

/**
 * Returns rules that send prerendered pages, except in draft mode. Pages whose URL ends with a slash
 * have their own rule, because the captured path must not contain this slash.
 */
function pageRoutes(group: Group): Route[] {
  const slashed = group.members.filter(({ url }) => url.endsWith('/'))
  const others = group.members.filter(({ url }) => !url.endsWith('/'))
  const missing = [
    { type: 'cookie', key: draftCookie } as const,
    ...group.functionOnHeaders.map((key) => ({ type: 'header', key }) as const),
  ]
  const ruleFor = (members: readonly Candidate[], slash: string): Route => ({
    src: `^(${members.map(({ url }) => escapeRegExp(withoutSlash(url))).join('|')})${slash}$`,
    dest: pageFile('$1'),
    missing,
    headers: Object.fromEntries(group.headers),
    caseSensitive: true,
  })
  return [
    ...(slashed.length > 0 ? [ruleFor(slashed, '/')] : []),
    ...(others.length > 0 ? [ruleFor(others, '')] : []),
  ]
}

function fileRoute({ kind, members, headers }: Group, basePath: string): Route {
  const paths =
    kind === 'asset'
      ? `${escapeRegExp(basePath + assetsPrefix)}.*`
      : members.map(({ url }) => escapeRegExp(url)).join('|')
  return {
    src: `^(?:${paths})$`,
    headers: Object.fromEntries(headers),
    continue: true,
    caseSensitive: true,
  }
}

/**
 * Returns the path of a page's file. Each page has its own folder, because `/blog` and `/blog/first`
 * may both be pages.
 */
function pageFile(url: string): string {
  return `/_waymark/pages${withoutSlash(url)}/_`
}

function withoutSlash(url: string): string {
  return url.replace(/\/$/, '')
}

/** Lists the files that the server may read. */
function filesToRead({ files, pages, notFound, shells }: BuildContents): string[] {
  const all = [files, pages, shells].flatMap((each) => Object.values(each).map(sourceOfFile))
  return notFound ? [...all, notFound.file] : all
}

const sourceOf = ({ file }: Candidate): string => file.file
const sourceOfFile = ({ file }: { readonly file: string }): string => file

function headerOf(headers: HeaderLines, name: string): string | null {
  return headers.find(([each]) => each.toLowerCase() === name)?.[1] ?? null
}

function escapeRegExp(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
