import type { ComponentType, ReactNode } from 'react'
import type { Integrity } from '../../shared/build.ts'
import type { Stylesheet } from '../../shared/payload.ts'
import { findLinks, stylesheetLinks } from './styles.ts'

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
  /** Its stylesheets, where the build knows them. */
  readonly stylesheets: readonly Stylesheet[]
}

/** Loads route files; each once, so that a warm page loads nothing. */
export type RouteModules = {
  /** @returns the file itself once it was loaded, else a promise of it */
  load(file: string): RouteFile | Promise<RouteFile>
}

/** What route files are loaded from, by their path. */
export type RouteModuleSources = {
  readonly imports: Readonly<Record<string, () => Promise<RouteModule>>>
  /** Of a build: the URLs of the stylesheets that a file brings along. */
  readonly stylesheets: Readonly<Record<string, readonly string[]>>
  /** Hashes of the stylesheets, by their URLs. */
  readonly integrity?: Integrity
  /** Of the dev server: an element that finds them when it renders. */
  readonly foundStyles: Readonly<Record<string, () => Promise<{ readonly styles: ReactNode }>>>
}

/** Makes the loader. */
export function createRouteModules(sources: RouteModuleSources): RouteModules {
  const { imports, stylesheets: hrefs, integrity = {}, foundStyles } = sources
  const loaded = new Map<string, RouteFile>()

  async function load(file: string): Promise<RouteFile> {
    const load = imports[file]
    if (!load) throw new Error(`The routes module does not import ${file}.`)
    const module = await load()
    const found = await foundStyles[file]?.()
    const stylesheets = (hrefs[file] ?? []).map((href) => withHash(href, integrity[href]))
    const styles = found ? await findLinks(found.styles) : stylesheetLinks(stylesheets)
    const routeFile = { file, module, styles, stylesheets }
    loaded.set(file, routeFile)
    return routeFile
  }

  return { load: (file) => loaded.get(file) ?? load(file) }
}

function withHash(href: string, hash: string | undefined): Stylesheet {
  return hash === undefined ? [href] : [href, hash]
}
