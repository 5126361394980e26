import { statSync } from 'node:fs'
import path from 'node:path'
import { listLeaves } from '../../routing/list.ts'
import { chainOf } from '../../routing/place.ts'
import type { RouteTree } from '../../routing/routeNode.ts'
import type { ClientScripts } from '../../shared/build.ts'
import type { ClientReferences } from './clientReferences.ts'

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
