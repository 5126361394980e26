import { isHookModule } from '../config/clientHooks.ts'
import { frameworkFilePattern, isFrameworkModule } from '../config/frameworkFiles.ts'

/** Ids of the modules that each of the browser's modules imports. */
type Imports = {
  readonly imports: ReadonlyMap<string, readonly string[]>
  readonly dynamicImports: ReadonlyMap<string, readonly string[]>
}

/**
 * Lists the modules that a browser imports when a page is idle, without their static imports:
 *
 * - the modules that the first script imports dynamically, because it does so when the page is idle
 * - the modules that packages with browser hooks import dynamically. A package may import some of
 *   them only on some pages, so a page loads at most these modules.
 *
 * @see client/browserEntry.ts
 */
export function listIdleModules({ imports, dynamicImports }: Imports): ReadonlySet<string> {
  const isEntry = frameworkFilePattern('clientEntry')
  const entries = [...imports.keys()].filter((id) => isEntry.test(id))
  const hooks = [...imports.keys()].filter(isHookModule)
  const staticOf = (id: string) => imports.get(id) ?? []
  const dynamicOf = (id: string) => dynamicImports.get(id) ?? []
  const firstModules = reach(entries, staticOf)
  const packageModules = reach(hooks, (id) =>
    // The framework's own modules import code for rare cases, such as failed navigations.
    isFrameworkModule(id) ? [] : [...staticOf(id), ...dynamicOf(id)],
  )
  const ofPackages = [...packageModules].filter((id) => !isFrameworkModule(id))
  return new Set([...firstModules, ...ofPackages].flatMap(dynamicOf))
}

/** Returns the start ids and all ids that they lead to. */
function reach(start: readonly string[], next: (id: string) => readonly string[]): Set<string> {
  const reached = new Set(start)
  // The loop also visits the ids that it adds to the set.
  for (const id of reached) for (const each of next(id)) reached.add(each)
  return reached
}
