import { statSync } from 'node:fs'
import path from 'node:path'
import type { RscPluginManager } from '@vitejs/plugin-rsc'
import { chainOf, listLeaves } from '../../routing/routeEntries.ts'
import type { RouteTree } from '../../routing/routeFile.ts'
import type { ClientScripts } from '../../shared/buildManifest.ts'
import { type ClientReferences, clientAssetsOf } from './clientReferences.ts'

/**
 * Takes the scripts of client files out of plugin-rsc's manifest: it would preload them for every
 * page that names one, needed or not. The renderer decides, by what stands beside them.
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

/** The scripts that were taken. */
export function clientScriptsOf(manager: RscPluginManager): ClientScripts {
  return (clientAssetsOf(manager) as { waymark?: ClientScripts }).waymark ?? { app: [], files: {} }
}

/** What is looked at of the client's bundle. */
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
  /** What every page loads. */
  readonly entry: readonly string[]
  /** What an interactive page loads at once beside it, and others when it is needed. */
  readonly app: readonly string[]
}

/** Lists the scripts that pages load whatever they show: the entry, and what it starts. */
export function listBootFiles(bundle: Readonly<Record<string, BootOutput>>): BootFiles {
  const chunks = Object.values(bundle).filter((output) => output.type === 'chunk')
  const index = chunks.find(({ isEntry, name }) => isEntry && name === 'index')
  const start = chunks.find(({ moduleIds }) =>
    moduleIds.some((id) => /\/waymark\/\w+\/client\/startReact\.\w+$/.test(id)),
  )
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

/** What counting the bytes of routes needs. */
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
 * Counts the JavaScript that a browser loads for each page by itself, gzipped: the entry, and
 * where the route's files bring client components, React and these.
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
    const shown = keysOf([
      ...folders.flatMap((files) => roles.flatMap((role) => files[role] ?? [])),
      file,
    ])
    // An error screen is fetched with the others, and makes no page interactive.
    const errors = keysOf(folders.flatMap((files) => files.error ?? []))
    const app = [
      ...scripts.app,
      ...[...shown, ...errors].flatMap((key) => scripts.files[key] ?? []),
    ]
    const urls = new Set([...entry, ...(shown.length > 0 ? app : [])])
    bytes.set(
      file,
      [...urls].reduce((sum, url) => sum + sizeOf(url), 0),
    )
  }
  return bytes
}

/** The URLs that are known at build: one that is made at run time has no text yet. */
export function textsOf(urls: readonly unknown[] | undefined): string[] {
  return (urls ?? []).filter((url) => typeof url === 'string')
}

function createSizes(clientDir: string, base: string): (url: string) => number {
  const sizes = new Map<string, number>()
  return (url) => {
    const known = sizes.get(url)
    if (known !== undefined) return known
    const file = path.join(clientDir, url.startsWith(base) ? url.slice(base.length) : url)
    const size = sizeIfThere(`${file}.gz`) ?? sizeIfThere(file) ?? 0
    sizes.set(url, size)
    return size
  }
}

function sizeIfThere(file: string): number | null {
  return statSync(file, { throwIfNoEntry: false })?.size ?? null
}
