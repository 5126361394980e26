import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { normalizePath, type Plugin, parse } from 'vite'
import { encodeSegment } from '../../routing/canonicalUrl.ts'
import {
  chainOf,
  collectRouteEntries,
  type LeafEntry,
  listLeaves,
  type RouteEntry,
} from '../../routing/routeEntries.ts'
import { metadataFileKind, type RouteTree } from '../../routing/routeFile.ts'
import { patternOf, type UrlSegment } from '../../routing/segment.ts'
import type { ResolvedOptions } from '../config/pluginOptions.ts'
import { routesId } from './routesPlugin.ts'
import { checkRoutes, isRouteFile, routeFilesOf, scanRoutes } from './scanRoutes.ts'

/** Generates the declarations for an app's routes: patterns, params, hrefs and slots. */
export function routeTypes(
  tree: RouteTree,
  appFolder: string,
  hasSearchParams: (file: string) => boolean,
): string {
  // No code links to metadata files or reads their params.
  const leaves = listLeaves(tree).filter(({ file }) => metadataFileKind(file) === null)
  const routes = leaves.map((leaf) => {
    const page = hasSearchParams(leaf.file) ? moduleType(appFolder, leaf.file) : 'object'
    const { pattern } = leaf.place
    return `    ${quote(leaf.pattern)}: { params: ${paramsType(pattern)}; href: ${hrefType(pattern)}; page: ${page} }\n`
  })
  const layouts = [...layoutsOf(tree)].map(
    ([pattern, { params, slots }]) =>
      `    ${quote(pattern)}: { params: ${params}; slots: ${union(slots.map(quote))} }\n`,
  )
  return `// Written by Waymark from the folders of ${appFolder}/. Changes are overwritten.
import 'waymark'

declare module 'waymark' {
  interface AppRoutes {
${routes.join('')}  }
  interface AppLayouts {
${layouts.join('')}  }
}
`
}

function layoutsOf(tree: RouteTree): Map<string, { params: string; slots: string[] }> {
  const layouts = new Map<string, { params: string; slots: string[] }>()
  const add = ({ node, pattern, slots }: RouteEntry) => {
    if (node.files.layout === undefined) return
    const text = patternOf(pattern)
    // A group has the same URL as its parent folder, so their slots are merged.
    const parentSlots = layouts.get(text)?.slots ?? []
    const names = new Set([...parentSlots, ...slots.map(({ name }) => name)])
    layouts.set(text, { params: paramsType(pattern), slots: [...names].sort() })
  }
  const { main, slots, interceptions } = collectRouteEntries(tree)
  const leaves: LeafEntry[] = [main, ...slots].flatMap((branch) => [...branch.leaves])
  leaves.push(...interceptions.map(({ leaf }) => leaf))
  for (const entry of new Set(leaves.flatMap(({ place }) => chainOf(place)))) add(entry)
  return new Map([...layouts].sort(([a], [b]) => (a < b ? -1 : 1)))
}

function paramsType(pattern: readonly UrlSegment[]): string {
  const members = pattern.filter((segment) => segment.kind !== 'static').map(paramMember)
  return members.length === 0 ? '{}' : `{ ${members.join('; ')} }`
}

function paramMember({ kind, param }: Exclude<UrlSegment, { kind: 'static' }>): string {
  switch (kind) {
    case 'dynamic':
      return `${nameOf(param)}: string`
    case 'rest':
      return `${nameOf(param)}: string[]`
    case 'optional-rest':
      return `${nameOf(param)}?: string[]`
  }
}

const anyText = `\${string}`

/**
 * Builds a template literal type, or, for optional rest segments, a union of two. The second type
 * includes the rest segments.
 */
function hrefType(pattern: readonly UrlSegment[]): string {
  const fixed = pattern.filter(({ kind }) => kind !== 'optional-rest').map(segmentType)
  const whole = template(fixed)
  return fixed.length === pattern.length ? whole : union([whole, template([...fixed, anyText])])
}

function segmentType(segment: UrlSegment): string {
  return segment.kind === 'static'
    ? encodeSegment(segment.name).replace(/[`\\$]/g, '\\$&')
    : anyText
}

function template(segments: readonly string[]): string {
  return `\`/${segments.join('/')}\``
}

function union(types: readonly string[]): string {
  return types.length === 0 ? 'never' : types.join(' | ')
}

function moduleType(appFolder: string, file: string): string {
  return `typeof import(${quote(`./${appFolder}/${file.replace(/\.[jt]sx?$/, '')}`)})`
}

function nameOf(param: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(param) ? param : quote(param)
}

function quote(text: string): string {
  return `'${text.replace(/['\\]/g, '\\$&')}'`
}

export function typesPlugin(options: () => ResolvedOptions): Plugin {
  let write = () => {}
  return {
    name: 'waymark:types',
    transform: {
      filter: { id: new RegExp(`^\0${routesId}$`) },
      // The dev server has read the app folder again, perhaps with files of which the watcher has
      // reported nothing.
      handler: () => write(),
    },
    async buildStart() {
      if (this.environment.name !== 'rsc' || this.environment.mode !== 'build') return
      await writeRouteTypes(options())
    },
    configureServer(server) {
      const { logger } = server.config
      let written: Promise<unknown> = Promise.resolve()
      // One after the other, so that the newest types are written last.
      write = () => {
        written = written
          .then(() => writeRouteTypes(options(), async (dir) => (await checkRoutes(dir)).tree))
          .catch((error) => {
            logger.warn(`The route types couldn't be written: ${String(error)}`)
          })
      }
      const update = (file: string) => {
        if (isRouteFile(options().appDir, normalizePath(file))) write()
      }
      write()
      for (const event of ['add', 'change', 'unlink']) server.watcher.on(event, update)
    },
  }
}

const routeTypesName = 'waymark-routes.d.ts'

/**
 * Writes a TypeScript app's declarations if they have changed.
 * @returns the file, or `null` if the app has no tsconfig.json
 */
export async function writeRouteTypes(
  { root, appDir }: Pick<ResolvedOptions, 'root' | 'appDir'>,
  scan = scanRoutes,
): Promise<string | null> {
  if (!existsSync(path.join(root, 'tsconfig.json'))) return null
  const tree = await scan(appDir)
  const pages = routeFilesOf(tree).filter((file) => /(?:^|\/)page\.[jt]sx?$/.test(file))
  const withSchema = new Set<string>()
  for (const page of pages) {
    const source = await readIfPresent(path.join(appDir, page))
    const { module } = await parse(page, source)
    const exported = module.staticExports.flatMap(({ entries }) => entries)
    if (exported.some((each) => each.exportName.name === 'searchParams')) withSchema.add(page)
  }
  const appFolder = normalizePath(path.relative(root, appDir))
  const text = routeTypes(tree, appFolder, (file) => withSchema.has(file))
  const file = path.join(root, routeTypesName)
  const written = await readFile(file, 'utf8').catch(() => null)
  if (written !== text) await writeFile(file, text)
  return file
}

/** Reads a file, or returns an empty text if the file has been deleted since the scan. */
async function readIfPresent(file: string): Promise<string> {
  return readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return ''
    throw error
  })
}
