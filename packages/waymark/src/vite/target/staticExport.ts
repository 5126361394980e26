import { cp, mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { BuildContents } from '../../builds/buildContents.ts'
import { isBelow } from '../../journal/filePaths.ts'
import { frameworkError } from '../../shared/errors.ts'
import { escapeHtml } from '../../shared/html.ts'
import { internalPrefix } from '../../wire/protocol.ts'
import { makeReadable } from '../build/fileModes.ts'
import { type Adapter, type AppBuild, hostFeatures } from '../config/hostAdapter.ts'

export type ExportedFile =
  /** A copy of a file. `from` is relative to the build's folder. */
  | { readonly file: string; readonly from: string }
  | { readonly file: string; readonly text: string }

export type StaticPlan = {
  readonly files: readonly ExportedFile[]
  readonly missing: readonly string[]
}

type PlannedBuild = Pick<AppBuild, 'routes' | 'serverFeatures' | 'usedFeatures'>
type PlannedPage = Pick<BuildContents['pages'][string], 'file' | 'status' | 'headers' | 'isGuarded'>
type PlannedContents = {
  readonly files: Readonly<Record<string, Pick<PlannedPage, 'isGuarded'>>>
  readonly pages: Readonly<Record<string, PlannedPage>>
  readonly notFound: Pick<PlannedPage, 'file'> | null
}

export function planStaticFolder(contents: PlannedContents, build: PlannedBuild): StaticPlan {
  const files: ExportedFile[] = []
  const missing = [
    ...build.serverFeatures,
    ...usedFeatures(build),
    ...dynamicRoutes(build),
    ...describeGuarded(contents),
  ]
  for (const [pathname, page] of Object.entries(contents.pages)) {
    if (page.isGuarded) continue
    const planned = planFile(pathname, page)
    if (typeof planned === 'string') missing.push(planned)
    else if (planned) files.push(planned)
  }
  if (contents.notFound) files.push({ file: '404.html', from: contents.notFound.file })
  return { files, missing: [...missing, ...collisions(files)] }
}

/**
 * Describes the files and pages that proxy.ts may refuse. A file server doesn't run proxy.ts, so a
 * static folder must not contain them.
 */
function describeGuarded({ files, pages }: PlannedContents): string[] {
  const named = Object.entries({ ...pages, ...files })
    .filter(([pathname, { isGuarded }]) => isGuarded && !pathname.startsWith(internalPrefix))
    .map(([pathname]) => pathname)
  if (named.length === 0) return []
  const rest = named.length > 5 ? ` and ${named.length - 5} more` : ''
  return [`${named.slice(0, 5).join(', ')}${rest} (each request needs proxy.ts or around())`]
}

function planFile(pathname: string, page: PlannedPage): ExportedFile | string | null {
  const { status, headers, file: from } = page
  const headerOf = (name: string) => headers.find(([each]) => each.toLowerCase() === name)?.[1]
  const isHtml = headerOf('content-type')?.startsWith('text/html') === true
  const path = decodeURIComponent(pathname).slice(1)
  const location = headerOf('location')
  // Without page data, the client loads the document, which redirects. So omit a redirect's page
  // data.
  if (location !== undefined && path.endsWith('.rsc')) return null
  if (location !== undefined) return { file: indexOf(path), text: redirectPage(location) }
  if (status === 404) return null
  if (status !== 200) return `${pathname} (its status is ${status})`
  return { file: isHtml ? indexOf(path) : path, from }
}

function indexOf(path: string): string {
  return path === '' ? 'index.html' : `${path}/index.html`
}

function usedFeatures({ usedFeatures: used }: PlannedBuild): string[] {
  // The files of a static site don't change, so it needs no state.
  return used.filter(({ feature }) => feature !== 'sharedState').map(({ text }) => text)
}

function dynamicRoutes({ routes }: PlannedBuild): string[] {
  return routes.flatMap(({ pattern, rendering, rendersOthers }) => {
    if (rendering.kind === 'dynamic') return [`${pattern} (${rendering.reason})`]
    if (rendering.kind === 'partial') return [`${pattern} (partial)`]
    return rendersOthers && rendering.count === 0 ? [`${pattern} (no static params)`] : []
  })
}

// Returns a page that redirects in place of a file server, which can't. Browsers follow the
// refresh, and crawlers the canonical link.
function redirectPage(location: string): string {
  const url = escapeHtml(location)
  return [
    '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">',
    `<meta http-equiv="refresh" content="0;url=${url}"><link rel="canonical" href="${url}">`,
    `<meta name="robots" content="noindex"><title>${url}</title></head>`,
    `<body><a href="${url}">${url}</a></body></html>\n`,
  ].join('')
}

// Finds files that can't exist together. If `/feed` is a file, `/feed` can't also be a folder with
// `/feed/latest`; and `/index.html` is the same file as `/`.
function collisions(files: readonly ExportedFile[]): string[] {
  const names = new Set<string>()
  const repeated = files.filter(({ file }) => names.size === names.add(file).size)
  const foldersOf = (file: string) =>
    [...file.matchAll(/\//g)].map(({ index }) => file.slice(0, index))
  const folders = new Set(files.flatMap(({ file }) => foldersOf(file)))
  const inTheWay = [...names].filter((file) => folders.has(file))
  return [
    ...inTheWay.map((file) => `/${file} (other URLs need a folder with this name)`),
    ...repeated.map(({ file }) => `/${file} (another URL needs the same file)`),
  ]
}

/** Options of `staticSite()`. */
export type StaticSiteOptions = {
  /** Folder to write, relative to the app's root. Default: `out`. */
  readonly out?: string
  /**
   * Leaves out routes that need a server. By default, the build fails and lists each of these
   * routes with the reason.
   */
  readonly allowMissing?: boolean
}

/** Adapter for hosts that run no code. It writes a folder that any file server can serve. */
export function staticSite({ out = 'out', allowMissing = false }: StaticSiteOptions = {}): Adapter {
  return {
    name: 'a static host',
    lacks: hostFeatures.filter((feature) => feature !== 'sharedState'),
    async write(build) {
      const folder = path.resolve(build.root, out)
      const missing = await writeStaticFolder(build, folder, allowMissing)
      const displayPath = path.relative(process.cwd(), folder) || folder
      return {
        serve: { text: `The static files are in ${displayPath}` },
        notes: missing.map((each) => `Left out: ${each}`),
      }
    },
  }
}

// File that marks a folder as written by this adapter. Only such a folder is emptied.
const marker = '.waymark-static'

/** @returns the parts of the app that are missing from the folder */
async function writeStaticFolder(
  build: AppBuild,
  out: string,
  allowMissing: boolean,
): Promise<readonly string[]> {
  const contents = build.contents()
  const { files, missing } = planStaticFolder(contents, build)
  if (missing.length > 0 && !allowMissing) {
    throw frameworkError('STATIC_ROUTES_MISSING', { routes: missing })
  }
  await emptyFolder(build, out)
  const published = Object.values(contents.files).filter(({ isGuarded }) => !isGuarded)
  const copies = published.map(({ file }) => ({ file: file.replace(/^client\//, ''), from: file }))
  for (const planned of [...copies, ...files]) {
    const target = path.join(out, planned.file)
    await mkdir(path.dirname(target), { recursive: true })
    if ('text' in planned) await writeFile(target, planned.text)
    else await cp(path.join(build.buildDir, planned.from), target)
  }
  await writeFile(path.join(out, marker), `${build.buildId}\n`)
  // The web server may run as a different user, so make the files readable whatever the build's
  // umask is.
  await makeReadable(out)
  return missing
}

async function emptyFolder({ root, buildDir }: AppBuild, out: string): Promise<void> {
  const refuse = (reason: string) => frameworkError('STATIC_OUT', { folder: out, reason })
  const isAround = (folder: string) => path.relative(out, folder) === '' || isBelow(out, folder)
  if (isAround(root) || isAround(buildDir)) throw refuse('it contains the app itself')
  const existing: string[] = await readdir(out).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw refuse(error.message)
  })
  if (existing.length > 0 && !existing.includes(marker)) {
    throw refuse("it contains files that Waymark didn't write")
  }
  await rm(out, { recursive: true, force: true })
  await mkdir(out, { recursive: true })
}
