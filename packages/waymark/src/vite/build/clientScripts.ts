import { statSync } from 'node:fs'
import path from 'node:path'
import type { RscPluginManager } from '@vitejs/plugin-rsc'
import { chainOf, listLeaves } from '../../routing/routeEntries.ts'
import type { RouteTree } from '../../routing/routeFile.ts'
import type { ClientScripts } from '../../shared/buildManifest.ts'
import { ownFilePattern } from '../config/ownFiles.ts'
import { type ClientReferences, clientAssetsOf } from './clientReferences.ts'

/**
 * Moves the scripts of client files from plugin-rsc's manifest to a member of our own: plugin-rsc
 * would preload them for every page that names one, and the renderer knows which are needed.
 * @param base before every URL of the assets
 */
export function takeClientScripts(manager: RscPluginManager, base: string): void {
  const manifest = clientAssetsOf(manager)
  const { app } = listBootFiles(manager.bundles.client ?? {})
  const entry = textsOf(manifest.clientEntryDeps?.js)
  const files: Record<string, readonly string[]> = {}
  for (const [key, deps] of Object.entries(manifest.clientReferenceDeps)) {
    files[key] = textsOf(deps.js).filter((url) => !entry.includes(url))
    manifest.clientReferenceDeps[key] = { ...deps, js: [] }
  }
  const scripts: ClientScripts = { app: app.map((name) => base + name), files }
  Object.assign(manifest, { waymark: scripts })
}

/** The scripts that `takeClientScripts` has moved. */
export function clientScriptsOf(manager: RscPluginManager): ClientScripts {
  return (clientAssetsOf(manager) as { waymark?: ClientScripts }).waymark ?? { app: [], files: {} }
}

/** The parts of the client's bundle that are read. */
export type BootOutput =
  | { readonly type: 'asset' }
  | {
      readonly type: 'chunk'
      readonly fileName: string
      readonly name: string
      readonly isEntry: boolean
      readonly moduleIds: readonly string[]
      readonly imports: readonly string[]
    }

type Chunk = Extract<BootOutput, { type: 'chunk' }>

/** Names of files in the client's bundle. */
export type BootFiles = {
  /** Every page loads them. */
  readonly entry: readonly string[]
  /** Interactive pages load them at once, others when needed. */
  readonly app: readonly string[]
}

/** Lists the scripts that pages load whatever they show: the entry, and those that start React. */
export function listBootFiles(bundle: Readonly<Record<string, BootOutput>>): BootFiles {
  const chunks = Object.values(bundle).filter((output) => output.type === 'chunk')
  const index = chunks.find(({ isEntry, name }) => isEntry && name === 'index')
  const isStart = ownFilePattern('startReact')
  const start = chunks.find(({ moduleIds }) => moduleIds.some((id) => isStart.test(id)))
  const entry = withImports(index, bundle)
  return { entry, app: withImports(start, bundle).filter((name) => !entry.includes(name)) }
}

function withImports(
  chunk: Chunk | undefined,
  bundle: Readonly<Record<string, BootOutput>>,
): string[] {
  const files = new Set<string>()
  const visit = (at: BootOutput | undefined): void => {
    if (at?.type !== 'chunk' || files.has(at.fileName)) return
    files.add(at.fileName)
    for (const name of at.imports) visit(bundle[name])
  }
  visit(chunk)
  return [...files]
}

/** Where the scripts of routes are looked up. */
export type ClientBytesOptions = {
  readonly tree: RouteTree
  /** Absolute, with forward slashes. */
  readonly appDir: string
  readonly references: ClientReferences
  readonly scripts: ClientScripts
  /** URLs of what every page loads. */
  readonly entry: readonly string[]
  /** Folder of the client's files, compressed siblings included. */
  readonly clientDir: string
  /** Before every URL of the assets. */
  readonly base: string
}

// Rendered around a page.
const roles = ['layout', 'template', 'loading'] as const

/**
 * Counts the JavaScript that a browser loads for each page, gzipped: the entry, and for routes
 * with client components React and these.
 * @returns by page file, relative to the app folder
 */
export function countClientBytes(options: ClientBytesOptions): Map<string, number> {
  const { tree, appDir, references, scripts, entry, clientDir, base } = options
  const sizeOf = createSizes(clientDir, base)
  const keysOf = (files: readonly string[]) =>
    files.flatMap((file) => [...references.referencesOf(path.posix.join(appDir, file))])
  const bytes = new Map<string, number>()
  for (const { kind, file, place } of listLeaves(tree)) {
    if (kind === 'route') continue
    const folders = chainOf(place).map(({ node }) => node.files)
    const around = folders.flatMap((files) => roles.flatMap((role) => files[role] ?? []))
    const shown = keysOf([...around, file])
    // An error screen is loaded with the others, and makes no page interactive.
    const errors = keysOf(folders.flatMap((files) => files.error ?? []))
    const own = [...shown, ...errors].flatMap((key) => scripts.files[key] ?? [])
    const urls = new Set(shown.length > 0 ? [...entry, ...scripts.app, ...own] : entry)
    bytes.set(
      file,
      [...urls].map(sizeOf).reduce((sum, size) => sum + size, 0),
    )
  }
  return bytes
}

/** The URLs that are known at build time: others are not text yet. */
export function textsOf(urls: readonly unknown[] | undefined): string[] {
  return (urls ?? []).filter((url) => typeof url === 'string')
}

function createSizes(clientDir: string, base: string): (url: string) => number {
  const sizes = new Map<string, number>()
  return (url) => {
    const known = sizes.get(url)
    if (known !== undefined) return known
    const file = path.join(clientDir, url.startsWith(base) ? url.slice(base.length) : url)
    const stats = [`${file}.gz`, file].map((each) => statSync(each, { throwIfNoEntry: false }))
    const size = stats.find((stat) => stat !== undefined)?.size ?? 0
    sizes.set(url, size)
    return size
  }
}
