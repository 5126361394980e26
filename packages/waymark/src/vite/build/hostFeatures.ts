import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { normalizePath } from 'vite'
import type { BuildManifest } from '../../builds/buildManifest.ts'
import { linesFor, packageHints } from '../../node/packageHints.ts'
import { frameworkError } from '../../shared/errors.ts'
import type { ListedPackage } from '../config/definePackage.ts'
import type { Adapter, HostFeature, UsedFeature } from '../config/hostAdapter.ts'
import type { ImportGraphs } from '../routes/actionReachability.ts'

const names: Readonly<Record<HostFeature, string>> = {
  requests: 'code that runs for each request',
  headers: 'headers',
  ranges: 'ranges of files',
  compression: 'compression',
  sockets: 'WebSockets',
  streams: 'live pages and streams',
  images: 'remote images',
  sharedState: 'shared state',
}

type UsingApp = {
  readonly root: string
  readonly packages: readonly Pick<ListedPackage, 'hostFeatures'>[]
  readonly graphs: Pick<ImportGraphs, 'importersOf'>
  readonly facts: Pick<BuildManifest, 'routes' | 'serverFeatures'>
}

/** Lists the features of a host that an app uses, by its imports and its routes. */
export function listUsedFeatures({ root, packages, graphs, facts }: UsingApp): UsedFeature[] {
  const used = new Map<HostFeature, Set<string>>()
  for (const { hostFeatures = {} } of packages) {
    for (const [feature, modules] of Object.entries(hostFeatures)) {
      const files = filesThatImport(modules, { root, graphs })
      if (files.length === 0) continue
      const earlier = used.get(feature as HostFeature) ?? []
      used.set(feature as HostFeature, new Set([...earlier, ...files]))
    }
  }
  const features = [...used].map(([feature, files]): UsedFeature => {
    return { feature, text: `${names[feature]} (${[...files].sort().join(', ')})` }
  })
  const text = describeState(facts)
  return text === null ? features : [...features, { feature: 'sharedState', text }]
}

/** Finds the files of the app through which its server imports modules of a package. */
function filesThatImport(
  modules: readonly URL[],
  { root, graphs }: Pick<UsingApp, 'root' | 'graphs'>,
): string[] {
  const files: string[] = []
  const visited = new Set(modules.map(({ href }) => normalizePath(fileURLToPath(href))))
  for (const id of visited) {
    for (const importer of graphs.importersOf('server', id)) {
      const file = normalizePath(path.relative(root, importer.replace(/\?.*$/, '')))
      const isOfApp = path.isAbsolute(importer) && !/^\.\.|(?:^|\/)node_modules\//.test(file)
      if (isOfApp) files.push(file)
      else visited.add(importer)
    }
  }
  return [...new Set(files)]
}

/** Describes what an app keeps between requests. @returns `null` if it keeps nothing */
function describeState({ routes, serverFeatures }: UsingApp['facts']): string | null {
  const isKept = ({ rendering }: (typeof routes)[number]) =>
    rendering.kind !== 'dynamic' && rendering.revalidateSeconds !== null
  const parts = [
    ...(serverFeatures.includes('server actions') ? ['server actions'] : []),
    ...(routes.some(isKept) ? ['pages with a lifetime'] : []),
  ]
  return parts.length > 0 ? parts.join(' and ') : null
}

type CheckedHost = {
  readonly adapter: Pick<Adapter, 'name' | 'lacks'>
  readonly used: readonly UsedFeature[]
  readonly allowMissing: readonly HostFeature[]
  /** True if the app's `server.ts` or a package opens stores for cache and journal. */
  readonly hasStores: boolean
}

/**
 * Compares what an app uses with what its host has.
 * @returns warnings about promises that the app keeps only within each instance
 * @throws `HOST_LACKS` if a part of the app can't work on the host
 */
export function checkHost({ adapter, used, allowMissing, hasStores }: CheckedHost): string[] {
  const { name, lacks = [] } = adapter
  if (lacks.includes('requests')) return []
  const missing = used.filter(
    ({ feature }) => lacks.includes(feature) && !allowMissing.includes(feature),
  )
  const broken = missing.filter(({ feature }) => feature !== 'sharedState')
  if (broken.length > 0) {
    throw frameworkError('HOST_LACKS', {
      adapter: name,
      uses: broken.map(({ text }) => text),
      features: broken.map(({ feature }) => feature),
    })
  }
  const state = hasStores ? undefined : missing.find(({ feature }) => feature === 'sharedState')
  return state
    ? [
        `${name} may run several instances of this app, and the app has no store that they share. The app has ${state.text}. An invalidation reaches only one instance, an action that is sent again may run twice, and errors can't be looked up once their instance has ended. Add a store: ${linesFor(packageHints.stores.WAYMARK_REDIS_URL)}.`,
      ]
    : []
}
