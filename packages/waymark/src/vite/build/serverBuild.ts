import { createHash, randomBytes } from 'node:crypto'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { buildLayout, type Integrity, type ServerBuild } from '../../builds/buildManifest.ts'
import { filesBelow } from '../../node/static/manifest.ts'
import type { RouteTree } from '../../routing/routeFile.ts'
import { assetsPrefix } from '../../wire/protocol.ts'
import { encryptionKeyFile } from '../internals/stableNames.ts'
import type { PrerenderOutcome } from '../prerender/prerenderApp.ts'
import { listBuiltActions } from '../routes/actionReachability.ts'
import { routeFilesOf } from '../routes/scanRoutes.ts'
import type { Bundle, BundledApp, ClientBuild } from './bundledApp.ts'
import { listAppScripts, textsOf } from './clientScripts.ts'

export async function describeServer(tree: RouteTree, app: BundledApp): Promise<ServerBuild> {
  const { builder, manager, references, options } = app
  const { appDir, buildDir } = options
  const folders = ['client', 'rsc', 'ssr'].map((name) => path.join(buildDir, name))
  const { rsc } = manager.bundles
  if (!rsc) throw new Error("The server wasn't bundled.")
  const files = routeFilesOf(tree)
  const actions = listBuiltActions(manager, references.graphs, {
    appDir,
    routeFiles: new Set(files),
  })
  const hasActions = Object.keys(actions).length > 0
  const secret = await buildSecret(buildDir, process.env, () => {
    if (hasActions) builder.config.logger.warn(ownSecret)
  })
  const buildId = await createBuildId(folders)
  const clientFiles = references.listReachable(appDir, new Set(files))
  const describeClient = (client: ClientBuild) => ({
    stylesheets: findStylesheets(rsc, {
      files,
      appDir,
      base: builder.config.base,
      clientStylesOf(id) {
        const { clientReferenceDeps } = client.assets
        const keys = [...references.referencesOf(id)]
        return keys.flatMap((key) => textsOf(clientReferenceDeps[key]?.css))
      },
    }),
    scripts: listAppScripts(tree, { app, client }, { clientFiles, actions }),
  })
  const [main] = app.clients
  return {
    buildId,
    ...describeClient(main),
    ...(main.variant === null
      ? {}
      : {
          variants: Object.fromEntries(
            app.clients.map((client) => [client.variant, describeClient(client)]),
          ),
        }),
    closedRoutes: {},
    staticRoutes: [],
    partialRoutes: [],
    actions,
    clientFiles,
    secret,
  }
}

const ownSecret =
  "WAYMARK_SECRET isn't set, so this build created a secret to encrypt the variables that server actions close over. If you build replicas separately, or in a new folder each time, set the same WAYMARK_SECRET for all of them."

export function routeLists({
  routes,
}: PrerenderOutcome): Pick<ServerBuild, 'closedRoutes' | 'staticRoutes' | 'partialRoutes'> {
  const closed = routes.flatMap(({ pattern, onlyPathnames }) =>
    onlyPathnames !== null && pattern.includes('[') ? [[pattern, onlyPathnames]] : [],
  )
  const prerendered = routes.filter(({ dynamicReason }) => dynamicReason === null)
  const patternsOf = (isPartial: boolean) =>
    prerendered.filter((route) => route.isPartial === isPartial).map(({ pattern }) => pattern)
  return {
    closedRoutes: Object.fromEntries(closed),
    staticRoutes: patternsOf(false),
    partialRoutes: patternsOf(true),
  }
}

/**
 * Computes a build's id from its content.
 *
 * @param folders absolute paths; the order affects the id, but the names of the folders don't
 */
export async function createBuildId(folders: readonly string[]): Promise<string> {
  const hash = createHash('sha256')
  for (const [index, folder] of folders.entries()) {
    for (const file of await filesBelow(folder)) {
      // Source maps aren't executed.
      if (encryptionKeyFile.test(file) || file.endsWith('.map')) continue
      const content = await readFile(path.join(folder, file))
      hash.update(`${index}/${file}\0${content.byteLength}\0`).update(content)
    }
  }
  return hash.digest('hex').slice(0, 16)
}

/**
 * Reads or creates the secret of a build. Later builds use the same secret, so that open pages stay
 * usable.
 *
 * @returns `null` if `WAYMARK_SECRET` is set, because the build then contains no secret
 */
export async function buildSecret(
  buildDir: string,
  env: Readonly<Record<string, string | undefined>>,
  onCreate: () => void = () => {},
): Promise<string | null> {
  if (env.WAYMARK_SECRET?.trim()) return null
  const file = path.join(buildDir, buildLayout.secret)
  const earlier = await readFile(file, 'utf8').catch(() => '')
  if (earlier.length >= 32) return earlier
  const secret = randomBytes(32).toString('base64url')
  await mkdir(buildDir, { recursive: true })
  await writeFile(file, secret, { mode: 0o600 })
  onCreate()
  return secret
}

/**
 * Removes an earlier build's secret if it is no longer used, so that copies of the folder don't
 * contain it.
 */
export async function removeUnusedSecret(buildDir: string, secret: string | null): Promise<void> {
  if (secret === null) await rm(path.join(buildDir, buildLayout.secret), { force: true })
}

/**
 * Hashes the scripts and stylesheets of a build.
 *
 * @see Subresource Integrity, §3.1
 */
export async function hashAssets(clientDir: string, base: string): Promise<Integrity> {
  const folder = path.join(clientDir, assetsPrefix)
  const hashes: Record<string, string> = {}
  for (const file of await filesBelow(folder)) {
    if (!/\.(?:m?js|css)$/.test(file)) continue
    const content = await readFile(path.join(folder, file))
    const hash = createHash('sha384').update(content).digest('base64')
    hashes[`${base}${assetsPrefix.slice(1)}${file}`] = `sha384-${hash}`
  }
  return hashes
}

type StyledBundle = Bundle<'fileName' | 'imports' | 'moduleIds' | 'viteMetadata'>

/**
 * Finds the stylesheets of route files. Styles of imported modules come first, in the order in
 * which the modules run. Client components' styles come last. They are included because, loaded
 * with the components' code, they would be too late for streamed parts of a page.
 *
 * @returns URLs by file; files without stylesheets are left out
 */
export function findStylesheets(
  bundle: StyledBundle,
  app: {
    readonly files: readonly string[]
    readonly appDir: string
    readonly base: string
    readonly clientStylesOf: (moduleId: string) => readonly string[]
  },
): Record<string, string[]> {
  const chunkOf = new Map<string, string>()
  for (const output of Object.values(bundle)) {
    if (output.type === 'chunk') for (const id of output.moduleIds) chunkOf.set(id, output.fileName)
  }
  const stylesByFile: Record<string, string[]> = {}
  for (const file of app.files) {
    const id = path.posix.join(app.appDir, file)
    const chunkStyles = stylesOf(chunkOf.get(id), bundle).map((name) => app.base + name)
    const styles = [...new Set([...chunkStyles, ...app.clientStylesOf(id)])]
    if (styles.length > 0) stylesByFile[file] = styles
  }
  return stylesByFile
}

function stylesOf(chunk: string | undefined, bundle: StyledBundle): string[] {
  const visited = new Set<string>()
  const styles = new Set<string>()
  const visit = (name: string): void => {
    const output = bundle[name]
    if (output?.type !== 'chunk' || visited.has(name)) return
    visited.add(name)
    output.imports.forEach(visit)
    for (const style of output.viteMetadata?.importedCss ?? []) styles.add(style)
  }
  if (chunk !== undefined) visit(chunk)
  return [...styles]
}
