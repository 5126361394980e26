import path from 'node:path'
import type { BuiltActions } from '../../builds/buildManifest.ts'
import { createMatcher } from '../../routing/match.ts'
import {
  chainOf,
  collectRouteEntries,
  type LeafEntry,
  listLeaves,
} from '../../routing/routeEntries.ts'
import type { RouteTree } from '../../routing/routeFile.ts'
import { patternOf } from '../../routing/segment.ts'
import { frameworkError } from '../../shared/errors.ts'
import { findProxy } from '../config/appFiles.ts'
import type {
  CheckedAction,
  CheckedBuild,
  CheckedLayout,
  CheckedPage,
  CheckedRoute,
  CheckedScreen,
} from '../config/checkBuild.ts'
import type { ResolvedOptions } from '../config/pluginOptions.ts'
import type { PrerenderOutcome } from '../prerender/prerenderApp.ts'
import type { ClientReferences } from './bundledApp.ts'

type Prerendered = Pick<PrerenderOutcome, 'routes' | 'files' | 'shells'>

type CheckedApp = {
  readonly options: Pick<
    ResolvedOptions,
    'root' | 'appDir' | 'buildDir' | 'basePath' | 'packages' | 'proxy'
  >
  /** The app's actions, as `listBuiltActions` returns them. */
  readonly actions: BuiltActions
  readonly references: Pick<ClientReferences, 'importsOf'>
  readonly manager: ModuleReferences
}

/** The modules of plugin-rsc's manager that browsers and servers refer to by a key. */
type ModuleReferences = {
  readonly serverReferences: {
    findByReferenceKey(key: string): { readonly importId: string } | undefined
  }
  readonly clientReferenceMetaMap: Readonly<Record<string, { readonly referenceKey: string }>>
}

/**
 * Lets packages look for problems in a build.
 * @returns a text for each package that found some
 * @throws `BUILD_CHECK`
 */
export async function checkByPackages(
  tree: RouteTree,
  app: CheckedApp,
  prerendered: Prerendered,
): Promise<string[]> {
  const { root, appDir, buildDir, basePath, packages } = app.options
  const matcher = createMatcher(tree)
  const build: CheckedBuild = {
    root,
    appDir,
    basePath,
    routes: checkedRoutes(prerendered, {
      buildDir,
      appDir,
      aroundOf: findFilesAround(tree, appDir),
    }),
    patternOf: (routePathname) => matcher.match(routePathname)?.pattern ?? null,
    interceptions: collectRouteEntries(tree).interceptions.map(({ leaf, place }) => ({
      pattern: leaf.pattern,
      from: patternOf(place.parent?.pattern ?? []),
      file: path.join(appDir, leaf.file),
      layouts: layoutsAround(leaf, appDir),
    })),
    proxy: findProxy(app.options),
    actions: checkedActions(app),
    clientModules: Object.entries(app.manager.clientReferenceMetaMap).map(
      ([file, { referenceKey }]) => ({ id: referenceKey, file }),
    ),
    importsOf: (file) => importsOf(file, app.references),
  }
  const texts: string[] = []
  for (const { name, checkBuild } of packages) {
    const { problems, failsBuild } = (await checkBuild?.(build)) ?? noProblems
    if (problems.length === 0) continue
    const count = problems.length === 1 ? 'a problem' : `${problems.length} problems`
    const text = [`${name} found ${count}:`, ...problems].join('\n  ')
    if (failsBuild) throw frameworkError('BUILD_CHECK', { text })
    texts.push(text)
  }
  return texts
}

const noProblems = { problems: [], failsBuild: false }

type RoutePlaces = {
  readonly appDir: string
  readonly buildDir: string
  readonly aroundOf: (file: string) => FilesAround
}

type FilesAround = Pick<CheckedRoute, 'layouts' | 'screens'>

function checkedRoutes(
  { routes, files, shells }: Prerendered,
  { appDir, buildDir, aroundOf }: RoutePlaces,
): CheckedRoute[] {
  return routes.map(({ pattern, kind, file, pathnames, onlyPathnames }) => ({
    pattern,
    kind,
    file: path.join(appDir, file),
    ...aroundOf(file),
    onlyPathnames,
    pages: pathnames.flatMap((pathname): CheckedPage[] => {
      const built = files[pathname]
      if (built) {
        return [{ pathname, status: built.status, document: path.join(buildDir, built.file) }]
      }
      return pathname in shells ? [{ pathname, status: 200, document: null }] : []
    }),
  }))
}

function findFilesAround(tree: RouteTree, appDir: string) {
  const leaves = new Map(listLeaves(tree).map((leaf) => [leaf.file, leaf]))
  return (file: string): FilesAround => {
    const leaf = leaves.get(file)
    if (leaf?.kind !== 'page') return { layouts: [], screens: [] }
    return { layouts: layoutsAround(leaf, appDir), screens: screensAround(leaf, appDir) }
  }
}

const screenRoles = ['loading', 'error', 'not-found', 'forbidden', 'unauthorized'] as const

function screensAround({ place }: LeafEntry, appDir: string): CheckedScreen[] {
  return chainOf(place).flatMap(({ node, pattern }) =>
    screenRoles.flatMap((role) => {
      const file = node.files[role]
      return file === undefined
        ? []
        : { role, pattern: patternOf(pattern), file: path.join(appDir, file) }
    }),
  )
}

function layoutsAround({ place }: LeafEntry, appDir: string): CheckedLayout[] {
  return chainOf(place).flatMap(({ node, pattern }) => {
    const { layout } = node.files
    return layout === undefined
      ? []
      : { pattern: patternOf(pattern), file: path.join(appDir, layout) }
  })
}

function checkedActions({ actions, manager, options: { appDir } }: CheckedApp): CheckedAction[] {
  return Object.entries(actions).flatMap(([id, files]) => {
    const [key = '', name = ''] = id.split('#')
    const reference = manager.serverReferences.findByReferenceKey(key)
    if (reference === undefined) return []
    const file = withoutQuery(reference.importId)
    return { id, name, file, routeFiles: files.map((each) => path.join(appDir, each)) }
  })
}

function importsOf(file: string, references: CheckedApp['references']): string[] {
  const imports = [...references.importsOf(file)].map(withoutQuery)
  const isOwn = (id: string) => path.isAbsolute(id) && !id.includes('/node_modules/')
  return [...new Set(imports)].filter(isOwn)
}

function withoutQuery(id: string): string {
  return id.replace(/\?.*$/, '')
}
