import { statSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import {
  buildLayout,
  type ClientAssets,
  type MeasuredRoute,
  type PreviousRoute,
  type RouteSizes,
  type ServerBuild,
  type VariantFiles,
} from '../../builds/buildManifest.ts'
import { chainOf, listLeaves } from '../../routing/routeEntries.ts'
import type { RouteTree } from '../../routing/routeFile.ts'
import { type FrameworkFile, frameworkFilePattern } from '../config/frameworkFiles.ts'
import type { PrerenderOutcome } from '../prerender/prerenderApp.ts'
import { mayHaveActions } from '../routes/actionReachability.ts'
import type { Bundle, BundledApp, ClientBuild } from './bundledApp.ts'

/** Lists the scripts of React and the router, which interactive pages load at once. */
export function listStartScripts({ bundle, assets }: ClientBuild, base: string): string[] {
  const entry = textsOf(assets.clientEntryDeps?.js)
  const urls = listFilesOf(bundle, 'startReact').map((name) => base + name)
  return urls.filter((url) => !entry.includes(url))
}

/** Describes the browser's files, without their hashes, for the server's bundles. */
export function describeClientFiles({
  clients,
  builder,
}: Pick<BundledApp, 'clients' | 'builder'>): Omit<ClientAssets, 'integrity'> {
  const { base } = builder.config
  const [main] = clients
  const app = listStartScripts(main, base)
  if (main.variant === null) return { app }
  const variants = clients.map((client) => [client.variant, describeVariant(client, base)])
  return { app, variants: Object.fromEntries(variants) }
}

function describeVariant(client: ClientBuild, base: string): VariantFiles {
  const { clientEntryUrl, clientEntryDeps, clientReferenceDeps } = client.assets
  const references = Object.entries(clientReferenceDeps)
  return {
    app: listStartScripts(client, base),
    clientEntryUrl: String(clientEntryUrl),
    clientEntryDeps: urlsOfDeps(clientEntryDeps),
    clientReferenceDeps: Object.fromEntries(
      references.map(([key, deps]) => [key, urlsOfDeps(deps)]),
    ),
  }
}

function urlsOfDeps(deps?: { readonly js: readonly unknown[]; readonly css: readonly unknown[] }) {
  return { js: textsOf(deps?.js), css: textsOf(deps?.css) }
}

/** Lists the files that a browser loads for one of the framework's files, including its imports. */
export function listFilesOf(
  bundle: Bundle<'moduleIds' | 'imports'>,
  file: FrameworkFile,
): string[] {
  const isWanted = frameworkFilePattern(file)
  return listFilesWith(bundle, (id) => isWanted.test(id))
}

/** Lists the files that contain certain modules, and the files that those import. */
export function listFilesWith(
  bundle: Bundle<'moduleIds' | 'imports'>,
  isWanted: (moduleId: string) => boolean,
): string[] {
  const files = new Set<string>()
  for (const [name, output] of Object.entries(bundle)) {
    if (output.type === 'chunk' && output.moduleIds.some(isWanted)) files.add(name)
  }
  for (const name of files) {
    const output = bundle[name]
    if (output?.type !== 'chunk') continue
    for (const imported of output.imports) if (imported in bundle) files.add(imported)
  }
  return [...files]
}

/** Client components and actions that the route files of a build can reach. */
export type ReachedCode = Pick<ServerBuild, 'clientFiles' | 'actions'>

/** One of the browser builds of an app. */
export type OneClient = { readonly app: BundledApp; readonly client: ClientBuild }

/** URLs of a page's JavaScript. */
export type PageScripts = {
  /** Scripts that make the page interactive. */
  readonly first: ReadonlySet<string>
  /** Scripts that the page has loaded, at most, when it is idle. Contains `first`. */
  readonly idle: ReadonlySet<string>
}

const roles = ['layout', 'template', 'loading'] as const

/**
 * Lists the JavaScript that a browser loads for each page of a variant. A page needs React if it may show a
 * client component or a form with a server action.
 *
 * @returns scripts by page file, relative to the app folder
 * @see rsc/page/clientNeeds.ts
 */
export function listPageScripts(
  tree: RouteTree,
  { app: built, client }: OneClient,
  { clientFiles, actions }: ReachedCode,
): Map<string, PageScripts> {
  const actionFiles = new Set(Object.values(actions).flat())
  const { clientEntryDeps, clientReferenceDeps } = client.assets
  const entry = textsOf(clientEntryDeps?.js)
  const app = listStartScripts(client, built.builder.config.base)
  const idle = listIdleScripts({ app: built, client })
  const keysOf = (files: readonly string[]) => files.flatMap((file) => clientFiles?.[file] ?? [])
  const scripts = new Map<string, PageScripts>()
  for (const { kind, file, place } of listLeaves(tree)) {
    if (kind === 'route') continue
    const folders = chainOf(place).map(({ node }) => node.files)
    const around = folders.flatMap((folder) => roles.flatMap((role) => folder[role] ?? []))
    const rendered = keysOf([...around, file])
    const needsReact =
      rendered.length > 0 || [...around, file].some((each) => actionFiles.has(each))
    // Exclude error screens: they load with the page, but don't make it interactive.
    const errors = keysOf(folders.flatMap((folder) => folder.error ?? []))
    const files = [...rendered, ...errors].flatMap((key) => textsOf(clientReferenceDeps[key]?.js))
    const first = needsReact ? [...entry, ...app, ...files] : entry
    const withRouter = needsReact || idle.mayStartRouter ? idle.withRouter : []
    scripts.set(file, {
      first: new Set(first),
      // Without React, a page loads its client components' code when it is idle.
      idle: new Set([...first, ...files, ...idle.everyPage, ...withRouter]),
    })
  }
  return scripts
}

/**
 * Lists the scripts that pages load when they are idle, apart from the code of their client
 * components.
 */
function listIdleScripts({ app, client: { bundle } }: OneClient) {
  const { manager, builder, options, references } = app
  const urlsOf = (files: readonly string[]) => files.map((name) => builder.config.base + name)
  return {
    everyPage: urlsOf(listFilesWith(bundle, (id) => references.idleModules.has(id))),
    /** The router loads the code for actions as soon as it starts. */
    withRouter: mayHaveActions(manager) ? urlsOf(listFilesOf(bundle, 'actionsChunk')) : [],
    /** True if a package may start the router on pages without client components. */
    mayStartRouter: options.packages.some(({ client }) => client?.onBoot || client?.onIdle),
  }
}

/** Lists the scripts that a page may need in addition to the framework's scripts, as URLs by page file. */
export function listAppScripts(
  tree: RouteTree,
  one: OneClient,
  reached: ReachedCode,
): Record<string, string[]> {
  const framework = listFrameworkScripts(one)
  const scripts: Record<string, string[]> = {}
  for (const [file, { first }] of listPageScripts(tree, one, reached)) {
    const appUrls = [...first].filter((url) => !framework.has(url))
    if (appUrls.length > 0) scripts[file] = appUrls
  }
  return scripts
}

/**
 * Returns the URLs of the framework's own scripts, which count as shared even if the app has only one
 * page.
 */
export function listFrameworkScripts({ app, client }: OneClient): ReadonlySet<string> {
  const entry = textsOf(client.assets.clientEntryDeps?.js)
  return new Set([...entry, ...listStartScripts(client, app.builder.config.base)])
}

/** Returns the URLs that are known at build time. Others aren't strings yet. */
export function textsOf(urls: readonly unknown[] | undefined): string[] {
  return (urls ?? []).filter((url) => typeof url === 'string')
}

/**
 * Measures the files that a browser loads for each page, by page file. If the app has variants, each
 * page has the sizes of its largest variant.
 */
export function measureRoutes(
  tree: RouteTree,
  app: BundledApp,
  rendered: RenderedRoutes,
): Map<string, RouteSizes> {
  const largest = new Map<string, RouteSizes>()
  for (const client of app.clients) {
    for (const [file, sizes] of measureClient(tree, { app, client }, rendered)) {
      const other = largest.get(file)
      if (!other || other.idleJs < sizes.idleJs) largest.set(file, sizes)
    }
  }
  return largest
}

type RenderedRoutes = Pick<PrerenderOutcome, 'routes' | 'files'> & ReachedCode

function measureClient(
  tree: RouteTree,
  one: OneClient,
  { routes, files, ...reached }: RenderedRoutes,
): Map<string, RouteSizes> {
  const { app } = one
  const { base } = app.builder.config
  const sizeOf = createSizeOf(app.options.buildDir)
  const scriptSize = (url: string) =>
    sizeOf(path.posix.join(buildLayout.client, url.startsWith(base) ? url.slice(base.length) : url))
  const scripts = listPageScripts(tree, one, reached)
  const pages = [...scripts.values()]
  const shared = sharedScripts(
    pages.map(({ first }) => first),
    listFrameworkScripts(one),
  )
  const sizes = new Map<string, RouteSizes>()
  for (const { file, pathnames } of routes) {
    const { first = [], idle = [] } = scripts.get(file) ?? {}
    const urls = [...first]
    const sum = (some: readonly string[]) => some.reduce((bytes, url) => bytes + scriptSize(url), 0)
    const documents = pathnames.flatMap((pathname) => files[pathname]?.file ?? [])
    sizes.set(file, {
      pageJs: sum(urls.filter((url) => !shared.has(url))),
      sharedJs: sum(urls.filter((url) => shared.has(url))),
      idleJs: sum([...idle]),
      html: documents.length === 0 ? null : Math.max(...documents.map(sizeOf)),
    })
  }
  return sizes
}

export function sharedScripts(
  pages: readonly ReadonlySet<string>[],
  framework: ReadonlySet<string>,
): ReadonlySet<string> {
  const seen = new Set<string>()
  const shared = new Set(framework)
  for (const urls of pages) for (const url of urls) (seen.has(url) ? shared : seen).add(url)
  return shared
}

function createSizeOf(buildDir: string): (file: string) => number {
  const sizes = new Map<string, number>()
  return (name) => {
    const known = sizes.get(name)
    if (known !== undefined) return known
    const file = path.join(buildDir, name)
    const stats = [`${file}.br`, file].map((each) => statSync(each, { throwIfNoEntry: false }))
    const size = stats.find((stat) => stat !== undefined)?.size ?? 0
    sizes.set(name, size)
    return size
  }
}

/**
 * Stores the sizes of a build's routes for comparison with the next build.
 *
 * @returns the routes of the previous build
 */
export async function replaceMeasured(
  buildDir: string,
  routes: readonly MeasuredRoute[],
): Promise<readonly PreviousRoute[] | null> {
  const file = path.join(buildDir, buildLayout.sizes)
  const before = await readMeasured(file)
  const measured = routes.map(({ pattern, file, sizes }) => ({ pattern, file, sizes }))
  await writeFile(file, `${JSON.stringify({ version: 2, routes: measured })}\n`)
  return before
}

async function readMeasured(file: string): Promise<readonly PreviousRoute[] | null> {
  try {
    const { version, routes } = JSON.parse(await readFile(file, 'utf8'))
    // Version 1 has no `idleJs`.
    return version === 1 || version === 2 ? routes : null
  } catch {
    // After the first build, or if the file is incomplete, there is nothing to compare.
    return null
  }
}
