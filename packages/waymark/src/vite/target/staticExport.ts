import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { type BuildManifest, buildLayout } from '../../shared/buildManifest.ts'
import type { PrerenderedFile, PrerenderedManifest } from '../../shared/cachedPage.ts'
import { frameworkError } from '../../shared/errors.ts'
import { escapeHtml } from '../../shared/html.ts'

/** One file of a static folder, relative to it. */
export type StaticFile =
  /** A copy of a file of the build, whose path is relative to the build's folder. */
  | { readonly file: string; readonly from: string }
  | { readonly file: string; readonly text: string }

/** What a static folder will hold, and what of the app it can't. */
export type StaticPlan = {
  readonly files: readonly StaticFile[]
  /** What is left out, each with its reason. */
  readonly missing: readonly string[]
}

/** Plans the folder that a file server can host. */
export function planStaticFolder(manifest: PrerenderedManifest, facts: BuildManifest): StaticPlan {
  const files: StaticFile[] = []
  const missing = [...facts.serverFeatures, ...dynamicRoutes(facts)]
  for (const [pathname, file] of Object.entries(manifest.files)) {
    const planned = planFile(pathname, file)
    if (typeof planned === 'string') missing.push(planned)
    else if (planned) files.push(planned)
  }
  if (manifest.notFound) files.push({ file: '404.html', from: manifest.notFound.file })
  return { files, missing: [...missing, ...collisions(files)] }
}

/** @returns a reason when the URL can't be a file; `null` when nothing is lost without it */
function planFile(pathname: string, prerendered: PrerenderedFile): StaticFile | string | null {
  const { status, headers, file: from } = prerendered
  const headerOf = (name: string) => headers.find(([each]) => each.toLowerCase() === name)?.[1]
  const isHtml = headerOf('content-type')?.startsWith('text/html') === true
  const path = decodeURIComponent(pathname).slice(1)
  const location = headerOf('location')
  // The client asks for a document when there is no data; a redirect needs none.
  if (location !== undefined && path.endsWith('.rsc')) return null
  if (location !== undefined) return { file: indexOf(path), text: redirectPage(location) }
  // The server's own 404.html says the same.
  if (status === 404) return null
  if (status !== 200) return `${pathname} (it answers with status ${status})`
  return { file: isHtml ? indexOf(path) : path, from }
}

function indexOf(path: string): string {
  return path === '' ? 'index.html' : `${path}/index.html`
}

function dynamicRoutes({ routes }: BuildManifest): string[] {
  return routes.flatMap(({ pattern, rendering, answersOthers }) => {
    if (rendering.kind === 'dynamic') return [`${pattern} (${rendering.reason})`]
    if (rendering.kind === 'partial') return [`${pattern} (partial)`]
    return answersOthers && rendering.count === 0 ? [`${pattern} (no static params)`] : []
  })
}

// A file server knows no redirects: browsers follow this one, and crawlers the canonical link.
function redirectPage(location: string): string {
  const url = escapeHtml(location)
  return [
    '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">',
    `<meta http-equiv="refresh" content="0;url=${url}"><link rel="canonical" href="${url}">`,
    `<meta name="robots" content="noindex"><title>${url}</title></head>`,
    `<body><a href="${url}">${url}</a></body></html>\n`,
  ].join('')
}

// `/feed` as a file leaves no room for `/feed/latest` below it.
function collisions(files: readonly StaticFile[]): string[] {
  const names = new Set(files.map(({ file }) => file))
  const foldersOf = (file: string) =>
    [...file.matchAll(/\//g)].map(({ index }) => file.slice(0, index))
  const folders = new Set(files.flatMap(({ file }) => foldersOf(file)))
  return [...names]
    .filter((file) => folders.has(file))
    .map((file) => `/${file} (a folder of the same name is needed for other URLs)`)
}

/** Where a static folder comes from and goes to. */
export type StaticFolderOptions = {
  readonly root: string
  readonly buildDir: string
  /** Absolute. */
  readonly out: string
  readonly facts: BuildManifest
  /** Goes on when the app has routes that need a server. */
  readonly allowsMissing: boolean
}

// By it, a folder is known to be ours to empty.
const marker = '.waymark-static'

/**
 * Writes a build as a folder that any file server can host.
 * @returns what of the app is not in it
 * @throws `STATIC_ROUTES_MISSING`, `STATIC_OUT`: then nothing is written
 */
export async function writeStaticFolder(options: StaticFolderOptions): Promise<readonly string[]> {
  const { buildDir, out, facts, allowsMissing } = options
  const text = await readFile(path.join(buildDir, buildLayout.prerendered), 'utf8')
  const manifest = JSON.parse(text) as PrerenderedManifest
  const { files, missing } = planStaticFolder(manifest, facts)
  if (missing.length > 0 && !allowsMissing) {
    throw frameworkError('STATIC_ROUTES_MISSING', { routes: missing })
  }
  await emptyFolder(options)
  await cp(path.join(buildDir, buildLayout.client), out, {
    recursive: true,
    filter: (file) => !/\.(?:br|gz|zst)$/.test(file) && path.basename(file) !== '.vite',
  })
  for (const file of files) await writeStaticFile(file, options)
  await writeFile(path.join(out, marker), `${facts.buildId}\n`)
  return missing
}

async function writeStaticFile(
  planned: StaticFile,
  { buildDir, out }: StaticFolderOptions,
): Promise<void> {
  const target = path.join(out, planned.file)
  await mkdir(path.dirname(target), { recursive: true })
  if ('text' in planned) await writeFile(target, planned.text)
  else await cp(path.join(buildDir, planned.from), target)
}

async function emptyFolder({ root, buildDir, out }: StaticFolderOptions): Promise<void> {
  const refuse = (reason: string) => frameworkError('STATIC_OUT', { folder: out, reason })
  const isAround = (folder: string) => !path.relative(out, folder).startsWith('..')
  if (isAround(root) || isAround(buildDir)) throw refuse('the app itself lies in it')
  const found: string[] = await readdir(out).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw refuse(error.message)
  })
  if (found.length > 0 && !found.includes(marker)) {
    throw refuse('it holds files that Waymark did not write')
  }
  await rm(out, { recursive: true, force: true })
  await mkdir(out, { recursive: true })
}
