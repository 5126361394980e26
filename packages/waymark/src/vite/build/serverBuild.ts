import { createHash, randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { normalizePath, type Rolldown } from 'vite'
import type { RouteTree } from '../../routing/routeFile.ts'
import { buildLayout, type ServerBuild } from '../../shared/buildManifest.ts'
import type { PrerenderedRoute, PrerenderOutcome } from '../prerender/messages.ts'
import { listBuiltActions } from '../routes/actionReachability.ts'
import { routeFilesOf } from '../routes/scanRoutes.ts'
import type { BundledApp } from './bundledApp.ts'
import { clientAssetsOf } from './clientReferences.ts'
import { textsOf } from './clientScripts.ts'

/** Describes a build to its own server, as far as the bundles tell. */
export async function describeServer(
  tree: RouteTree,
  { builder, manager, references, options: { appDir, buildDir } }: BundledApp,
): Promise<ServerBuild> {
  const folders = ['client', 'rsc', 'ssr'].map((name) => path.join(buildDir, name))
  const { rsc } = manager.bundles
  if (!rsc) throw new Error('The server was not bundled.')
  const { clientReferenceDeps } = clientAssetsOf(manager)
  const stylesheets = findStylesheets({
    bundle: rsc,
    files: routeFilesOf(tree),
    appDir,
    base: builder.config.base,
    clientStylesOf: (id) =>
      [...references.referencesOf(id)].flatMap((key) => textsOf(clientReferenceDeps[key]?.css)),
  })
  const actions = listBuiltActions(manager, references.graphs, {
    appDir,
    routeFiles: new Set(routeFilesOf(tree)),
  })
  const hasActions = Object.keys(actions).length > 0
  const secret = await buildSecret(buildDir, process.env, () => {
    if (hasActions) builder.config.logger.warn(ownSecret)
  })
  const buildId = await createBuildId(folders)
  const routes = { closedRoutes: {}, staticRoutes: [], partialRoutes: [] }
  return { buildId, stylesheets, ...routes, actions, secret }
}

const ownSecret =
  'WAYMARK_SECRET is not set: what server actions close over is sealed with a secret that this build made. Replicas that are built apart, and builds in fresh folders, need one WAYMARK_SECRET for all.'

/** The routes that answer the URLs they list, and no others. */
export function closedRoutes({
  routes,
}: PrerenderOutcome): NonNullable<ServerBuild['closedRoutes']> {
  return Object.fromEntries(
    routes.flatMap(({ pattern, onlyPathnames }) => {
      const isOpen = onlyPathnames === null || !pattern.includes('[')
      return isOpen ? [] : [[pattern, onlyPathnames]]
    }),
  )
}

/** The routes that render the same for everybody. */
export function staticRoutes({ routes }: PrerenderOutcome): ServerBuild['staticRoutes'] {
  return patternsOf(routes.filter((route) => isStatic(route) && !route.isPartial))
}

/** The routes whose pages are static in part. */
export function partialRoutes({ routes }: PrerenderOutcome): ServerBuild['partialRoutes'] {
  return patternsOf(routes.filter((route) => isStatic(route) && route.isPartial))
}

function isStatic({ dynamicReason }: PrerenderedRoute): boolean {
  return dynamicReason === null
}

function patternsOf(routes: readonly PrerenderedRoute[]): string[] {
  return routes.map(({ pattern }) => pattern)
}

// A key made anew for every build would give equal builds two ids, and maps run nowhere.
const ignoredFile = /(?:^|\/)__vite_rsc_encryption_key\.js$|\.map$/

/**
 * Names a build after its content: equal ids mean equal builds.
 * @param folders absolute; their order counts, their own names don't
 */
export async function createBuildId(folders: readonly string[]): Promise<string> {
  const hash = createHash('sha256')
  for (const [index, folder] of folders.entries()) {
    for (const file of await filesBelow(folder)) {
      if (ignoredFile.test(file)) continue
      const content = await readFile(path.join(folder, file))
      hash.update(`${index}/${file}\0${content.byteLength}\0`).update(content)
    }
  }
  return hash.digest('hex').slice(0, 16)
}

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => normalizePath(path.relative(folder, path.join(entry.parentPath, entry.name))))
    .sort()
}

/**
 * The secret of a build that was given none: made once, and kept beside the build for those that
 * follow, so that pages of an older one stay usable.
 * @param onMade called when it was made, and no build before it has one like it
 * @returns `null` where `WAYMARK_SECRET` is set: then the build holds no secret
 */
export async function buildSecret(
  buildDir: string,
  env: Readonly<Record<string, string | undefined>>,
  onMade: () => void = () => {},
): Promise<string | null> {
  if (env.WAYMARK_SECRET?.trim()) return null
  const file = path.join(buildDir, buildLayout.secret)
  const kept = await readFile(file, 'utf8').catch(() => '')
  if (kept.length >= 32) return kept
  const made = randomBytes(32).toString('base64url')
  await mkdir(buildDir, { recursive: true })
  // For its owner alone.
  await writeFile(file, made, { mode: 0o600 })
  onMade()
  return made
}

/** What is looked at of a bundle's chunk. */
export type StyledChunk = Pick<
  Rolldown.OutputChunk,
  'type' | 'fileName' | 'imports' | 'moduleIds'
> & {
  readonly viteMetadata?: { readonly importedCss: ReadonlySet<string> } | undefined
}

/** What finding stylesheets needs. */
export type StylesheetsOptions = {
  readonly bundle: Readonly<Record<string, StyledChunk | { readonly type: 'asset' }>>
  /** Route files, relative to the app folder. */
  readonly files: readonly string[]
  /** Absolute, with forward slashes. */
  readonly appDir: string
  /** Before every URL of the assets. */
  readonly base: string
  /** URLs of the stylesheets of the client components that a module imports. */
  readonly clientStylesOf: (moduleId: string) => readonly string[]
}

/**
 * Finds the stylesheets that route files bring along. In the `rsc` bundle, those of the modules
 * that a file imports come before its own, as they do when the modules run; those of its client
 * components follow. The latter would otherwise be linked when their code is loaded: too late for
 * a part that is streamed.
 * @returns URLs by file, for those that have any
 */
export function findStylesheets(options: StylesheetsOptions): Record<string, string[]> {
  const { bundle, files, appDir, base, clientStylesOf } = options
  const chunks = new Map<string, StyledChunk>()
  const chunkOf = new Map<string, StyledChunk>()
  for (const output of Object.values(bundle)) {
    if (output.type !== 'chunk') continue
    chunks.set(output.fileName, output)
    for (const id of output.moduleIds) chunkOf.set(id, output)
  }
  const found: Record<string, string[]> = {}
  for (const file of files) {
    const id = path.posix.join(appDir, file)
    const chunk = chunkOf.get(id)
    const own = chunk ? stylesOf(chunk, chunks).map((name) => base + name) : []
    const styles = [...new Set([...own, ...clientStylesOf(id)])]
    if (styles.length > 0) found[file] = styles
  }
  return found
}

function stylesOf(chunk: StyledChunk, chunks: ReadonlyMap<string, StyledChunk>): string[] {
  const visited = new Set<StyledChunk>()
  const styles = new Set<string>()
  const visit = (at: StyledChunk): void => {
    if (visited.has(at)) return
    visited.add(at)
    for (const name of at.imports) {
      const imported = chunks.get(name)
      if (imported) visit(imported)
    }
    for (const name of at.viteMetadata?.importedCss ?? []) styles.add(name)
  }
  visit(chunk)
  return [...styles]
}
