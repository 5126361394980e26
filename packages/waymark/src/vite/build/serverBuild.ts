import path from 'node:path'
import type { RouteTree } from '../../routing/routeNode.ts'
import type { ServerBuild } from '../../shared/build.ts'
import { listBuiltActions } from '../actions/builtActions.ts'
import type { PrerenderedRoute, PrerenderOutcome } from '../prerender/messages.ts'
import { routeFilesOf } from '../routes/scan.ts'
import { createBuildId } from './buildId.ts'
import type { BundledApp } from './bundledApp.ts'
import { textsOf } from './clientBytes.ts'
import { clientAssetsOf } from './clientReferences.ts'
import { buildSecret } from './secret.ts'
import { findStylesheets } from './stylesheets.ts'

/** Describes a build to its own server, as far as the bundles tell. */
export async function describeServer(
  tree: RouteTree,
  { builder, manager, references, options: { appDir, buildDir } }: BundledApp,
): Promise<ServerBuild> {
  const folders = ['client', 'rsc', 'ssr'].map((name) => path.join(buildDir, name))
  const { rsc } = manager.bundles
  if (!rsc) throw new Error('The server was not bundled.')
  const { clientReferenceDeps } = clientAssetsOf(manager)
  const stylesheets = findStylesheets({
    bundle: rsc,
    files: routeFilesOf(tree),
    appDir,
    base: builder.config.base,
    clientStylesOf: (id) =>
      [...references.referencesOf(id)].flatMap((key) => textsOf(clientReferenceDeps[key]?.css)),
  })
  const actions = listBuiltActions(manager, references.graphs, {
    appDir,
    routeFiles: new Set(routeFilesOf(tree)),
  })
  const hasActions = Object.keys(actions).length > 0
  const secret = await buildSecret(buildDir, process.env, () => {
    if (hasActions) builder.config.logger.warn(ownSecret)
  })
  const buildId = await createBuildId(folders)
  const routes = { closedRoutes: {}, staticRoutes: [], partialRoutes: [] }
  return { buildId, stylesheets, ...routes, actions, secret }
}

const ownSecret =
  'WAYMARK_SECRET is not set: what server actions close over is sealed with a secret that this build made. Replicas that are built apart, and builds in fresh folders, need one WAYMARK_SECRET for all.'

/** The routes that answer the URLs they list, and no others. */
export function closedRoutes({
  routes,
}: PrerenderOutcome): NonNullable<ServerBuild['closedRoutes']> {
  return Object.fromEntries(
    routes.flatMap(({ pattern, onlyPathnames }) => {
      const isOpen = onlyPathnames === null || !pattern.includes('[')
      return isOpen ? [] : [[pattern, onlyPathnames]]
    }),
  )
}

/** The routes that render the same for everybody. */
export function staticRoutes({ routes }: PrerenderOutcome): ServerBuild['staticRoutes'] {
  return patternsOf(routes.filter((route) => isStatic(route) && !route.isPartial))
}

/** The routes whose pages are static in part. */
export function partialRoutes({ routes }: PrerenderOutcome): ServerBuild['partialRoutes'] {
  return patternsOf(routes.filter((route) => isStatic(route) && route.isPartial))
}

function isStatic({ dynamicReason }: PrerenderedRoute): boolean {
  return dynamicReason === null
}

function patternsOf(routes: readonly PrerenderedRoute[]): string[] {
  return routes.map(({ pattern }) => pattern)
}
