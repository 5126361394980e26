import { statSync } from 'node:fs'
import path from 'node:path'
import type { RscPluginManager } from '@vitejs/plugin-rsc'
import { listLeaves } from '../../routing/list.ts'
import { chainOf } from '../../routing/place.ts'
import type { RouteTree } from '../../routing/routeNode.ts'
import type { ClientReferences } from './clientReferences.ts'

/** What counting the bytes of routes needs. */
export type ClientBytesOptions = {
  readonly tree: RouteTree
  /** Absolute, with forward slashes. */
  readonly appDir: string
  readonly references: ClientReferences
  readonly assets: NonNullable<RscPluginManager['buildAssetsManifest']>
  /** Names of the files that every page loads. */
  readonly bootFiles: readonly string[]
  /** Folder of the client's files, compressed siblings included. */
  readonly clientDir: string
  /** Before every URL of the assets. */
  readonly base: string
}

// Rendered around a page, or in its place.
const roles = ['layout', 'template', 'loading', 'error'] as const

/**
 * Counts the JavaScript that a browser loads for each page, gzipped: what every page
 * loads, and the client components that the route's files import.
 * @returns by page file, relative to the app folder
 */
export function countClientBytes(options: ClientBytesOptions): Map<string, number> {
  const { tree, appDir, references, assets, bootFiles, clientDir, base } = options
  const sizeOf = createSizes(clientDir, base)
  const bytes = new Map<string, number>()
  for (const { kind, file, place } of listLeaves(tree)) {
    if (kind === 'route') continue
    const around = chainOf(place).flatMap(({ node }) =>
      roles.flatMap((role) => node.files[role] ?? []),
    )
    const urls = new Set<string>(bootFiles.map((name) => base + name))
    for (const each of [...around, file]) {
      for (const key of references.referencesOf(path.posix.join(appDir, each))) {
        for (const url of textsOf(assets.clientReferenceDeps[key]?.js)) urls.add(url)
      }
    }
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
