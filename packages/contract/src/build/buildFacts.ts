import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import type { CheckedBuild, CheckedScreen } from 'waymark/plugin'
import { buildLayout } from 'waymark/plugin/node'
import { readExports } from './readExports.ts'

/**
 * Facts about an app that its build knows and its running server doesn't tell. Paths of files are
 * relative to the app's root, with forward slashes.
 */
export type BuildFacts = {
  readonly version: 1
  readonly basePath: string
  /** Folder with the app's routes. */
  readonly appDir: string
  readonly routes: readonly RouteFacts[]
  readonly interceptions: readonly InterceptionFacts[]
  /** Path of proxy.ts; `null` if the app has none. */
  readonly proxy: string | null
  readonly actions: readonly ActionFacts[]
  /** Files of modules with `'use client'`, keyed by their ids in page data. */
  readonly clientModules: Readonly<Record<string, string>>
  /** The modules that each module imports. */
  readonly imports: Readonly<Record<string, readonly string[]>>
}

export type LayoutFacts = { readonly pattern: string; readonly file: string }

export type ScreenFacts = LayoutFacts & { readonly role: CheckedScreen['role'] }

export type RouteFacts = {
  readonly pattern: string
  readonly kind: 'page' | 'route'
  readonly file: string
  readonly layouts: readonly LayoutFacts[]
  /** The app's screens around the page, from the root down. */
  readonly screens: readonly ScreenFacts[]
  /** Names that the file exports. */
  readonly exports: readonly string[]
  /** Paths of prerendered pages. */
  readonly pathnames: readonly string[]
}

export type InterceptionFacts = Pick<RouteFacts, 'pattern' | 'file' | 'layouts'> & {
  /** Pattern below which a navigation must start. */
  readonly from: string
}

export type ActionFacts = {
  readonly id: string
  readonly name: string
  readonly file: string
  readonly routeFiles: readonly string[]
}

const fileName = 'contract.json'

/** Writes the facts next to the build, for `waymark contract`. */
export function writeFacts(build: CheckedBuild): void {
  const facts = describeBuild(build)
  const file = join(build.root, buildLayout.folder, fileName)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, `${JSON.stringify(facts)}\n`)
}

/** @returns `null` if no build has written facts */
export function readFacts(root: string): BuildFacts | null {
  try {
    return JSON.parse(readFileSync(join(root, buildLayout.folder, fileName), 'utf8')) as BuildFacts
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

/** Returns the name of an action's function, without the prefix of functions inside components. */
export function nameOf({ name }: Pick<ActionFacts, 'name'>): string {
  return name.replace(/^\$\$hoist_\d+_/, '')
}

/** True if a module of the build has been deleted, such as a layout or proxy.ts. */
export function hasDeletedModules(root: string): boolean {
  const facts = readFacts(root)
  return facts !== null && Object.keys(facts.imports).some((file) => !existsSync(join(root, file)))
}

function describeBuild(build: CheckedBuild): BuildFacts {
  const { root } = build
  const below = (file: string) => relative(root, file).split(sep).join('/')
  const layoutsOf = (layouts: CheckedBuild['routes'][number]['layouts']) =>
    layouts.map(({ pattern, file }) => ({ pattern, file: below(file) }))
  const routes = build.routes.map(({ pattern, kind, file, layouts, screens, pages }) => ({
    pattern,
    kind,
    file: below(file),
    layouts: layoutsOf(layouts),
    screens: screens.map(({ role, pattern, file }) => ({ role, pattern, file: below(file) })),
    exports: readExports(file),
    pathnames: pages.map(({ pathname }) => pathname),
  }))
  const interceptions = build.interceptions.map(({ pattern, from, file, layouts }) => ({
    pattern,
    from,
    file: below(file),
    layouts: layoutsOf(layouts),
  }))
  const actions = build.actions.map(({ id, name, file, routeFiles }) => ({
    id,
    name,
    file: below(file),
    routeFiles: routeFiles.map(below),
  }))
  const clientModules = Object.fromEntries(
    build.clientModules.map(({ id, file }) => [id, below(file)]),
  )
  const imports = listImports(build, below)
  return {
    version: 1,
    basePath: build.basePath,
    appDir: below(build.appDir),
    routes,
    interceptions,
    proxy: build.proxy === null ? null : below(build.proxy),
    actions,
    clientModules,
    imports,
  }
}

/** Follows the imports of the app's route files and actions, inside the app's root. */
function listImports(
  { root, proxy, routes, interceptions, actions, importsOf }: CheckedBuild,
  below: (file: string) => string,
): Record<string, readonly string[]> {
  const imports: Record<string, readonly string[]> = {}
  const waiting = proxy === null ? [] : [proxy]
  for (const pages of [routes, interceptions]) {
    for (const { file, layouts } of pages) {
      waiting.push(file, ...layouts.map((layout) => layout.file))
    }
  }
  for (const { file, routeFiles } of actions) waiting.push(file, ...routeFiles)
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (below(file) in imports) continue
    const imported = importsOf(file).filter((each) => each.startsWith(root))
    imports[below(file)] = imported.map(below)
    waiting.push(...imported)
  }
  return imports
}
