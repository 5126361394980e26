import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { encodePathname, listFiles } from '../../node/static/manifest.ts'
import { type BuildManifest, buildLayout } from '../../shared/buildManifest.ts'
import type { PrerenderedFile, PrerenderedManifest } from '../../shared/cachedPage.ts'
import { frameworkError } from '../../shared/errors.ts'
import { escapeHtml } from '../../shared/html.ts'
import { internalPrefix } from '../../shared/protocol.ts'
import { makeReadable } from '../build/fileModes.ts'

export type ExportedFile =
  /** A copy of a file of the build, whose path is relative to the build's folder. */
  | { readonly file: string; readonly from: string }
  | { readonly file: string; readonly text: string }

export type StaticPlan = {
  readonly files: readonly ExportedFile[]
  readonly missing: readonly string[]
}

export function planStaticFolder(
  prerendered: PrerenderedManifest,
  build: BuildManifest,
): StaticPlan {
  const files: ExportedFile[] = []
  const { guarded = [] } = prerendered
  const missing = [...build.serverFeatures, ...dynamicRoutes(build), ...describeGuarded(guarded)]
  for (const [pathname, file] of Object.entries(prerendered.files)) {
    if (guarded.includes(pathname)) continue
    const planned = planFile(pathname, file)
    if (typeof planned === 'string') missing.push(planned)
    else if (planned) files.push(planned)
  }
  if (prerendered.notFound) files.push({ file: '404.html', from: prerendered.notFound.file })
  return { files, missing: [...missing, ...collisions(files)] }
}

/** Nothing asks proxy.ts in a static folder: what it may refuse must not be there. */
function describeGuarded(guarded: readonly string[]): string[] {
  const named = guarded.filter((pathname) => !pathname.startsWith(internalPrefix))
  if (named.length === 0) return []
  const rest = named.length > 5 ? ` and ${named.length - 5} more` : ''
  return [`${named.slice(0, 5).join(', ')}${rest} (each request needs proxy.ts or around())`]
}

function planFile(pathname: string, prerendered: PrerenderedFile): ExportedFile | string | null {
  const { status, headers, file: from } = prerendered
  const headerOf = (name: string) => headers.find(([each]) => each.toLowerCase() === name)?.[1]
  const isHtml = headerOf('content-type')?.startsWith('text/html') === true
  const path = decodeURIComponent(pathname).slice(1)
  const location = headerOf('location')
  // Without data the client loads the document, and that is what a redirect needs.
  if (location !== undefined && path.endsWith('.rsc')) return null
  if (location !== undefined) return { file: indexOf(path), text: redirectPage(location) }
  if (status === 404) return null
  if (status !== 200) return `${pathname} (its status is ${status})`
  return { file: isHtml ? indexOf(path) : path, from }
}

function indexOf(path: string): string {
  return path === '' ? 'index.html' : `${path}/index.html`
}

function dynamicRoutes({ routes }: BuildManifest): string[] {
  return routes.flatMap(({ pattern, rendering, rendersOthers }) => {
    if (rendering.kind === 'dynamic') return [`${pattern} (${rendering.reason})`]
    if (rendering.kind === 'partial') return [`${pattern} (partial)`]
    return rendersOthers && rendering.count === 0 ? [`${pattern} (no static params)`] : []
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

// `/feed` as a file leaves no room for `/feed/latest` below it; `/index.html` is the file of `/`.
function collisions(files: readonly ExportedFile[]): string[] {
  const names = new Set<string>()
  const repeated = files.filter(({ file }) => names.size === names.add(file).size)
  const foldersOf = (file: string) =>
    [...file.matchAll(/\//g)].map(({ index }) => file.slice(0, index))
  const folders = new Set(files.flatMap(({ file }) => foldersOf(file)))
  const inTheWay = [...names].filter((file) => folders.has(file))
  return [
    ...inTheWay.map((file) => `/${file} (a folder of the same name is needed for other URLs)`),
    ...repeated.map(({ file }) => `/${file} (another URL has the same file)`),
  ]
}

export type StaticFolderOptions = {
  readonly root: string
  readonly buildDir: string
  readonly out: string
  readonly manifest: BuildManifest
  /** Go on when the app has routes that need a server. */
  readonly allowsMissing: boolean
}

// Only folders with this file are emptied.
const marker = '.waymark-static'

/** Writes a build as a folder that any file server can host. @returns what is left out of it */
export async function writeStaticFolder(options: StaticFolderOptions): Promise<readonly string[]> {
  const { buildDir, out, manifest, allowsMissing } = options
  const text = await readFile(path.join(buildDir, buildLayout.prerendered), 'utf8')
  const prerendered = JSON.parse(text) as PrerenderedManifest
  const { files, missing } = planStaticFolder(prerendered, manifest)
  if (missing.length > 0 && !allowsMissing) {
    throw frameworkError('STATIC_ROUTES_MISSING', { routes: missing })
  }
  await emptyFolder(options)
  const clientDir = path.join(buildDir, buildLayout.client)
  const guarded = new Set(prerendered.guarded)
  const clientFiles = new Set(listFiles(clientDir))
  const isCompressedSibling = (file: string) =>
    /\.(?:br|gz|zst)$/.test(file) && clientFiles.has(file.replace(/\.\w+$/, ''))
  // As the server has them: no dot files, and none that proxy.ts decides about.
  for (const file of clientFiles) {
    if (isCompressedSibling(file) || guarded.has(encodePathname(`/${file}`))) continue
    await cp(path.join(clientDir, file), path.join(out, file))
  }
  for (const planned of files) {
    const target = path.join(out, planned.file)
    await mkdir(path.dirname(target), { recursive: true })
    if ('text' in planned) await writeFile(target, planned.text)
    else await cp(path.join(buildDir, planned.from), target)
  }
  await writeFile(path.join(out, marker), `${manifest.buildId}\n`)
  // A web server runs as another user, whatever the umask of the build.
  await makeReadable(out)
  return missing
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
