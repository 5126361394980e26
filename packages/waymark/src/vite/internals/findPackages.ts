import { readFileSync } from 'node:fs'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import {
  createIdResolver,
  type DevEnvironment,
  normalizePath,
  parseSync,
  type ViteDevServer,
} from 'vite'

// Matches the directive after comments. Each alternative can begin and end in only one way.
// Otherwise, matching a file with many comments would take forever.
const clientDirective =
  /^(?:\s|\/\/[^\n]*\n|\/\*[^*]*\*+(?:[^/*][^*]*\*+)*\/|['"]use strict['"];?)*['"]use client['"]/

/** True if the code of a module begins with `'use client'`, after comments and `'use strict'`. */
export function isClientModule(code: string): boolean {
  return clientDirective.test(code)
}

export function isClientFile(file: string): boolean {
  return /\.[cm]?js$/.test(file) && isClientModule(readFileSync(file, 'utf8'))
}

/** Client files and imports found in the app's sources. */
export type SearchedApp = {
  readonly clientFiles: string[]
  readonly imported: Set<string>
}

/**
 * Finds the packages to bundle in the first run, because a package that is found later may reload a
 * page.
 */
export async function searchApp(root: string): Promise<SearchedApp> {
  const clientFiles: string[] = []
  const imported = new Set<string>()
  const search = async (folder: string): Promise<void> => {
    const entries = await readdir(path.join(root, folder), { withFileTypes: true })
    await Promise.all(
      entries.map(async (entry) => {
        const file = path.posix.join(folder, entry.name)
        if (entry.isDirectory() && !/^(?:\.|node_modules$)/.test(entry.name)) return search(file)
        if (!entry.isFile() || !/\.(?:[cm]?[jt]sx?|mdx)$/.test(entry.name)) return
        const text = await readFile(path.join(root, file), 'utf8')
        if (isClientModule(text)) clientFiles.push(file)
        else for (const [, from = ''] of text.matchAll(importedName)) imported.add(from)
      }),
    )
  }
  await search('')
  return { clientFiles: clientFiles.sort(), imported }
}

const importedName = /\bfrom\s*['"](@?[\w-][^'":]*)['"]/g

/**
 * Builds patterns for the client components, in which Vite looks for packages if it has no bundles.
 */
export function entryPatterns({ clientFiles }: SearchedApp): string[] {
  return clientFiles.map((file) => file.replace(/[()[\]{}!*?@+|\\]/g, '\\$&'))
}

/** Adds packages whose client components are imported by server components to the first run. */
export async function addClientPackages(
  { config, environments }: ViteDevServer,
  searched: SearchedApp,
  buildDir: string,
): Promise<void> {
  const { rsc, client, ssr } = environments
  if (!rsc || !client || !ssr) return
  const resolve = createIdResolver(config)
  const isClient = async (name: string) => {
    const from = path.join(config.root, 'package.json')
    const file = await resolve(rsc, name, from).catch(() => undefined)
    return file?.includes('/node_modules/') && isClientFile(file)
  }
  const names = [...searched.imported].sort()
  const areClients = await Promise.all(names.map(isClient))
  const packages = names.filter((_, index) => areClients[index])
  const lines = packages.map((name) => `import ${JSON.stringify(name)}\n`)
  if (lines.length === 0) return
  const file = path.join(buildDir, 'clientPackages.js')
  await mkdir(buildDir, { recursive: true })
  await writeFile(file, lines.join(''))
  searched.clientFiles.push(normalizePath(path.relative(config.root, file)))
  for (const { config } of [client, ssr]) config.optimizeDeps.entries = entryPatterns(searched)
}

/**
 * Bundles all packages that a file for browsers uses, directly or through its imports from the app.
 * If they were discovered later, open pages might reload.
 *
 * @param sourceText content of the file, if it was already read
 */
export async function bundleImports(
  ssr: DevEnvironment,
  file: string,
  sourceText?: string,
  searched = new Set<string>(),
): Promise<void> {
  if (searched.has(file)) return
  searched.add(file)
  const text = sourceText ?? (await readFile(file, 'utf8').catch(() => ''))
  const search = async (source: string) => {
    const resolved = await ssr.pluginContainer.resolveId(source, file)
    const id = resolved?.id.replace(/\?.*$/, '') ?? ''
    const isAppFile = id.startsWith(`${ssr.config.root}/`) && !id.includes('/node_modules/')
    if (isAppFile && sourceFile.test(id)) await bundleImports(ssr, id, undefined, searched)
  }
  await Promise.allSettled(importsOf(file, text).map(search))
}

export const sourceFile = /\.[cm]?[jt]sx?$/

function importsOf(file: string, text: string): string[] {
  const { staticImports, staticExports, dynamicImports } = parseSync(file, text).module
  const exported = staticExports.flatMap(({ entries }) => entries)
  return [
    ...staticImports
      .filter(({ entries }) => entries.length === 0 || entries.some(({ isType }) => !isType))
      .map(({ moduleRequest }) => moduleRequest.value),
    ...exported.flatMap(({ moduleRequest, isType }) =>
      isType ? [] : (moduleRequest?.value ?? []),
    ),
    ...dynamicImports.flatMap(({ moduleRequest: { start, end } }) => {
      return /^(['"])([^'"]+)\1$/.exec(text.slice(start, end))?.[2] ?? []
    }),
  ]
}
