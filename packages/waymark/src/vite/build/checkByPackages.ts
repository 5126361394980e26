import path from 'node:path'
import { createMatcher } from '../../routing/match.ts'
import type { RouteTree } from '../../routing/routeFile.ts'
import { frameworkError } from '../../shared/errors.ts'
import type { CheckedPage, CheckedRoute } from '../config/checkBuild.ts'
import type { ResolvedOptions } from '../config/pluginOptions.ts'
import type { PrerenderOutcome } from '../prerender/prerenderApp.ts'

type Prerendered = Pick<PrerenderOutcome, 'routes' | 'files' | 'shells'>

type CheckedApp = {
  readonly options: Pick<ResolvedOptions, 'root' | 'appDir' | 'buildDir' | 'basePath' | 'packages'>
}

/**
 * Lets packages look for problems in a build.
 * @returns a text for each package that found some
 * @throws `BUILD_CHECK`
 */
export async function checkByPackages(
  tree: RouteTree,
  { options }: CheckedApp,
  prerendered: Prerendered,
): Promise<string[]> {
  const { root, appDir, buildDir, basePath, packages } = options
  const matcher = createMatcher(tree)
  const build = {
    root,
    basePath,
    routes: checkedRoutes(prerendered, { appDir, buildDir }),
    patternOf: (routePathname: string) => matcher.match(routePathname)?.pattern ?? null,
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

function checkedRoutes(
  { routes, files, shells }: Prerendered,
  { appDir, buildDir }: { readonly appDir: string; readonly buildDir: string },
): CheckedRoute[] {
  return routes.map(({ pattern, kind, file, pathnames, onlyPathnames }) => ({
    pattern,
    kind,
    file: path.join(appDir, file),
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
