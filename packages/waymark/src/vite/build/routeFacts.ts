import path from 'node:path'
import type { RscPluginManager } from '@vitejs/plugin-rsc'
import type { RouteTree } from '../../routing/routeNode.ts'
import { buildLayout, type RouteManifest } from '../../shared/build.ts'
import type { PrerenderedRoute, PrerenderOutcome } from '../prerender/messages.ts'
import { listBootFiles } from './bootFiles.ts'
import type { BundledApp } from './bundledApp.ts'
import { countClientBytes } from './clientBytes.ts'
import { clientScriptsOf } from './clientScripts.ts'

/** Describes what became of the routes. */
export function describeRoutes(
  { routes }: PrerenderOutcome,
  tree: RouteTree,
  { builder, references, manager, options: { appDir, buildDir } }: BundledApp,
): RouteManifest[] {
  const clientDir = path.join(buildDir, buildLayout.client)
  const { base } = builder.config
  const scripts = clientScriptsOf(manager)
  const entry = listBootFiles(manager.bundles.client ?? {}).entry.map((name) => base + name)
  const bytes = countClientBytes({ tree, appDir, references, scripts, entry, clientDir, base })
  return routes.map((route) => describeRoute(route, bytes.get(route.file) ?? null))
}

/** Names what an app needs a server for besides its dynamic routes. */
export function serverFeatures(
  { isProxied }: PrerenderOutcome,
  { serverReferences }: RscPluginManager,
): string[] {
  const hasActions = serverReferences.metaMap.size > 0
  return [...(hasActions ? ['server actions'] : []), ...(isProxied ? ['proxy.ts'] : [])]
}

function describeRoute(route: PrerenderedRoute, clientBytes: number | null): RouteManifest {
  const { pattern, kind, file, pathnames, onlyPathnames } = route
  const { dynamicReason, isPartial, revalidateSeconds } = route
  return {
    pattern,
    kind,
    file,
    clientBytes,
    answersOthers: onlyPathnames === null && pattern.includes('['),
    rendering:
      dynamicReason === null
        ? { kind: isPartial ? 'partial' : 'static', count: pathnames.length, revalidateSeconds }
        : { kind: 'dynamic', reason: dynamicReason },
  }
}
