import type { ComponentType, ReactNode } from 'react'
import { stylesOf } from './styles.ts'

/** A module of the app folder: what its file exports, by role. */
export type RouteModule = {
  readonly default?: ComponentType<Record<string, unknown>>
  readonly [name: string]: unknown
}

/** A loaded route file: its module, and the styles it brings into the document's head. */
export type RouteFile = {
  readonly file: string
  readonly module: RouteModule
  readonly styles: ReactNode
}

type SegmentModule = { module: RouteModule; styles: ReactNode }

/** Loads route files; each once, so that a warm page loads nothing. */
export type RouteModules = {
  /** @returns the file itself once it was loaded, else a promise of it */
  load(file: string): RouteFile | Promise<RouteFile>
}

/**
 * Makes the loader.
 * @param imports by file, as the routes module lists them
 */
export function createRouteModules(
  imports: Readonly<Record<string, () => Promise<SegmentModule>>>,
): RouteModules {
  const loaded = new Map<string, RouteFile>()

  async function load(file: string): Promise<RouteFile> {
    const load = imports[file]
    if (!load) throw new Error(`The routes module does not import ${file}.`)
    const { module, styles } = await load()
    const routeFile = { file, module, styles: stylesOf(styles) }
    loaded.set(file, routeFile)
    return routeFile
  }

  return { load: (file) => loaded.get(file) ?? load(file) }
}
