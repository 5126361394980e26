import { join, resolve } from 'node:path'
import { type BuildFacts, nameOf, readFacts } from '../build/buildFacts.ts'

/**
 * Lists the titles that a contract has for a file's page, handler or actions. The last build knows
 * them, so the list is empty without a build.
 * @param file absolute, or relative to the app's root
 */
export function titlesOfFile(root: string, file: string): string[] {
  const { routes, interceptions, actions } = readFactsIfPossible(root) ?? noFacts
  const path = resolve(root, file)
  const isIt = (each: { readonly file: string }) => join(root, each.file) === path
  const titles = [
    ...routes.filter(isIt).map(({ pattern }) => pattern),
    ...interceptions.filter(isIt).map(({ pattern, from }) => `preview ${pattern} from ${from}`),
    ...actions.filter(isIt).map((action) => `action ${nameOf(action)}`),
  ]
  return [...new Set(titles)]
}

const noFacts: Pick<BuildFacts, 'routes' | 'interceptions' | 'actions'> = {
  routes: [],
  interceptions: [],
  actions: [],
}

/** Reads what the last build wrote. @returns `null` without a build, or while one is writing */
export function readFactsIfPossible(root: string): BuildFacts | null {
  try {
    return readFacts(root)
  } catch {
    // The file is incomplete while a build is writing it.
    return null
  }
}
