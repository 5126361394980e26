import path from 'node:path'
import { chainOf, listLeaves } from '../../routing/routeEntries.ts'
import type { RouteTree } from '../../routing/routeFile.ts'
import type { ClientAssets } from '../../shared/buildManifest.ts'
import { type OwnFile, ownFilePattern } from '../config/ownFiles.ts'
import type { Bundle, BundledApp } from './bundledApp.ts'
import { clientAssetsOf } from './clientReferences.ts'

/** Lists the scripts that the renderer names before the payload does. */
export function listClientScripts({
  manager,
  builder: { config },
}: BundledApp): Omit<ClientAssets, 'integrity'> {
  const bundle = manager.bundles.client ?? {}
  const entry = textsOf(clientAssetsOf(manager).clientEntryDeps?.js)
  const urlsOf = (file: OwnFile) =>
    listFilesOf(bundle, file)
      .map((name) => config.base + name)
      .filter((url) => !entry.includes(url))
  const app = urlsOf('startReact')
  return { app, reader: urlsOf('readFromHtml').filter((url) => !app.includes(url)) }
}

/** Lists what a browser loads for one of the framework's files, with all that it imports. */
export function listFilesOf(bundle: Bundle<'moduleIds' | 'imports'>, file: OwnFile): string[] {
  const isWanted = ownFilePattern(file)
  const files = new Set<string>()
  for (const [name, output] of Object.entries(bundle)) {
    if (output.type === 'chunk' && output.moduleIds.some((id) => isWanted.test(id))) files.add(name)
  }
  // Grows while it is iterated.
  for (const name of files) {
    const output = bundle[name]
    if (output?.type !== 'chunk') continue
    for (const imported of output.imports) if (imported in bundle) files.add(imported)
  }
  return [...files]
}

// Rendered around a page.
const roles = ['layout', 'template', 'loading'] as const

/**
 * Lists the JavaScript that a browser loads for each page: the entry, and for routes with client
 * components React and these.
 * @returns URLs by page file, relative to the app folder
 */
export function listPageScripts(
  tree: RouteTree,
  built: BundledApp,
): Map<string, ReadonlySet<string>> {
  const { manager, references, options } = built
  const { clientEntryDeps, clientReferenceDeps } = clientAssetsOf(manager)
  const entry = textsOf(clientEntryDeps?.js)
  const { app } = listClientScripts(built)
  const keysOf = (files: readonly string[]) =>
    files.flatMap((file) => [...references.referencesOf(path.posix.join(options.appDir, file))])
  const scripts = new Map<string, ReadonlySet<string>>()
  for (const { kind, file, place } of listLeaves(tree)) {
    if (kind === 'route') continue
    const folders = chainOf(place).map(({ node }) => node.files)
    const around = folders.flatMap((folder) => roles.flatMap((role) => folder[role] ?? []))
    const shown = keysOf([...around, file])
    // An error screen is loaded with the others, and makes no page interactive.
    const errors = keysOf(folders.flatMap((folder) => folder.error ?? []))
    const own = [...shown, ...errors].flatMap((key) => textsOf(clientReferenceDeps[key]?.js))
    scripts.set(file, new Set(shown.length > 0 ? [...entry, ...app, ...own] : entry))
  }
  return scripts
}

/**
 * Lists what a browser in which the app runs may have to load for each page.
 * @returns URLs by page file, relative to the app folder, without pages that need none
 */
export function listOwnScripts(tree: RouteTree, app: BundledApp): Record<string, string[]> {
  const framework = listFrameworkScripts(app)
  const scripts: Record<string, string[]> = {}
  for (const [file, urls] of listPageScripts(tree, app)) {
    const own = [...urls].filter((url) => !framework.has(url))
    if (own.length > 0) scripts[file] = own
  }
  return scripts
}

/** The URLs of the framework's own scripts: pages share them, even where there is only one page. */
export function listFrameworkScripts(built: BundledApp): ReadonlySet<string> {
  const { clientEntryDeps } = clientAssetsOf(built.manager)
  return new Set([...textsOf(clientEntryDeps?.js), ...listClientScripts(built).app])
}

/** The URLs that are known at build time: others are not text yet. */
export function textsOf(urls: readonly unknown[] | undefined): string[] {
  return (urls ?? []).filter((url) => typeof url === 'string')
}
