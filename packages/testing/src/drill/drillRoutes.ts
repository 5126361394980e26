import type { BuildManifest } from 'waymark/plugin/node'
import type { DrillConfig } from './drillConfig.ts'
import type { DrilledRoute } from './drillResult.ts'
import { type DrillFault, drillFaults } from './faultList.ts'

/** The routes that a drill visits, and a line of text for each route that it can't visit. */
export type ChosenRoutes = {
  readonly routes: readonly DrilledRoute[]
  readonly problems: readonly string[]
}

/**
 * Chooses the routes of a drill.
 * @param build facts about the build; `null` for a remote server, whose routes aren't known
 * @param named patterns or paths of the routes to visit; `null` for all pages
 */
export function chooseRoutes(
  build: { readonly manifest: BuildManifest; readonly pathnames: readonly string[] } | null,
  config: DrillConfig,
  named: readonly string[] | null,
): ChosenRoutes {
  const problems: string[] = []
  const pathnameOf = (pattern: string) => {
    const configured = config.paths?.[pattern]
    if (configured !== undefined) return configured
    if (!pattern.includes('[')) return pattern
    return build?.pathnames.find((pathname) => patternTest(pattern).test(pathname)) ?? null
  }
  const pages = (build?.manifest.routes ?? []).filter(({ kind }) => kind === 'page')
  const patterns = pages.map(({ pattern }) => pattern)
  const skipped = new Set(config.skip)
  const wanted = named ?? (build ? patterns.filter((pattern) => !skipped.has(pattern)) : ['/'])
  const routes = wanted.flatMap((name): DrilledRoute[] => {
    if (!name.startsWith('/')) {
      problems.push(
        `${name} is not a route. Write a pattern such as /blog/[slug], or a path such as /blog/oak.`,
      )
      return []
    }
    const mayBeRoute = patterns.includes(name) || !build || !name.includes('[')
    const pathname = mayBeRoute ? pathnameOf(name) : null
    if (pathname !== null) return [{ pattern: name, pathname }]
    problems.push(
      patterns.includes(name) || !build
        ? `${name} is skipped, because no path for it is known. Add one to drill.config.ts: paths: { '${name}': '…' }`
        : `${name} is skipped, because the build has no such route.`,
    )
    return []
  })
  return { routes, problems }
}

/**
 * Returns a regular expression for the paths of a route. `[slug]` matches one segment, `[...path]`
 * one or more, and `[[...path]]` any number.
 */
function patternTest(pattern: string): RegExp {
  const segments = pattern.split('/').slice(1)
  const source = segments.map((segment) => {
    if (segment.startsWith('[[...')) return '(?:/.+)?'
    if (segment.startsWith('[...')) return '/.+'
    if (segment.startsWith('[')) return '/[^/]+'
    return `/${segment.replaceAll(/[.*+?^${}()|\\]/g, '\\$&')}`
  })
  return new RegExp(`^${source.join('')}$`)
}

/**
 * Chooses faults whose names equal or start with one of the given names, as in `scripts,data:hang`.
 * @returns the faults, and in `unknown` a name that doesn't match any fault, or `null`
 */
export function chooseFaults(names: string | undefined): {
  readonly chosen: readonly DrillFault[]
  readonly unknown: string | null
  readonly names: readonly string[]
} {
  const all = drillFaults.map(({ id }) => id)
  if (names === undefined) return { chosen: drillFaults, unknown: null, names: all }
  const wanted = names.split(',').map((name) => name.trim())
  const has = (id: string, name: string) => id === name || id.startsWith(`${name}:`)
  const unknown = wanted.find((name) => !all.some((id) => has(id, name))) ?? null
  const chosen = drillFaults.filter(({ id }) => wanted.some((name) => has(id, name)))
  return { chosen, unknown, names: all }
}
