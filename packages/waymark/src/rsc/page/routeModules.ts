import {
  type ComponentType,
  createElement,
  Fragment,
  isValidElement,
  type ReactElement,
  type ReactNode,
} from 'react'
import type { Integrity } from '../../builds/buildManifest.ts'
import type { MatchedSegment } from '../../routing/matchedSegments.ts'
import { frameworkError } from '../../shared/errors.ts'
import { timedOut, withDeadline } from '../../shared/promises.ts'
import type { Stylesheet } from '../../wire/payload.ts'
import { stylePrecedence } from '../../wire/protocol.ts'

/** A module of the app folder: what its file exports, by role. */
export type RouteModule = {
  readonly default?: ComponentType<Record<string, unknown>>
  readonly [name: string]: unknown
}

export type LoadedRouteFile = {
  readonly file: string
  readonly module: RouteModule
  readonly styles: ReactNode
  /** Its stylesheets, where the build knows them. */
  readonly stylesheets: readonly Stylesheet[]
  /** Keys of the client references that it may show. */
  readonly clientFiles: readonly string[]
  /** True for a file that may show a client component, or a form of a server action. */
  readonly mayNeedReact: boolean
}

/** What route files are loaded from, by their path. */
export type RouteModuleSources = {
  /** Refuses a file whose exports mean nothing. */
  readonly check?: (file: Pick<LoadedRouteFile, 'file' | 'module'>) => void
  readonly imports: Readonly<Record<string, () => Promise<RouteModule>>>
  /** Of a build: the URLs of the stylesheets that a file brings along. */
  readonly stylesheets: Readonly<Record<string, readonly string[]>>
  /** Of a build: the URLs of the scripts of a page's client components, its layouts' included. */
  readonly scripts?: Readonly<Record<string, readonly string[]>>
  /** Of a build: the client references that a file may show; `null` in the dev server. */
  readonly clientFiles?: Readonly<Record<string, readonly string[]>> | null
  /** Of a build: the files that reach a server action. */
  readonly actionFiles?: ReadonlySet<string>
  /** Hashes of scripts and stylesheets, by their URLs. */
  readonly integrity?: Integrity
  /** Of the dev server: an element that finds them when it renders. */
  readonly devStyles: Readonly<Record<string, () => Promise<{ readonly styles: ReactNode }>>>
}

export type RouteModules = ReturnType<typeof createRouteModules>

export function createRouteModules(sources: RouteModuleSources) {
  const { imports, stylesheets: hrefs, scripts: urls = {}, integrity = {}, devStyles } = sources
  const { clientFiles: references = null, actionFiles } = sources
  const loaded = new Map<string, LoadedRouteFile>()

  const hashed = (url: string): Stylesheet => withHash(url, integrity[url])

  async function load(file: string): Promise<LoadedRouteFile> {
    const load = imports[file]
    if (!load) throw new Error(`The routes module does not import ${file}.`)
    const module = await loadCode(load(), `app/${file}`)
    sources.check?.({ file, module })
    const links = await devStyles[file]?.()
    const stylesheets = (hrefs[file] ?? []).map(hashed)
    const styles = links ? await findLinks(links.styles) : stylesheetLinks(stylesheets)
    const clientFiles = references?.[file] ?? []
    const mayNeedReact =
      references === null || clientFiles.length > 0 || actionFiles?.has(file) === true
    const routeFile = { file, module, styles, stylesheets, clientFiles, mayNeedReact }
    loaded.set(file, routeFile)
    return routeFile
  }

  return {
    /** @returns the file itself once it was loaded, else a promise of it */
    load: (file: string): LoadedRouteFile | Promise<LoadedRouteFile> =>
      loaded.get(file) ?? load(file),
    /** Of a build: the scripts and stylesheets that a page or layout needs, which is not loaded. */
    assetsOf: (file: string): readonly Stylesheet[] =>
      [...(urls[file] ?? []), ...(hrefs[file] ?? [])].map(hashed),
  }
}

/** The loaded files of a route, by their path. */
export type RouteFiles = ReadonlyMap<string, LoadedRouteFile>

/** Loads all files that a page may render with. @returns a promise if one of them was not loaded before */
export function loadRouteFiles(
  {
    match: { root },
    kind,
  }: { readonly match: { readonly root: MatchedSegment }; readonly kind: string },
  { modules }: { readonly modules: RouteModules },
): RouteFiles | Promise<RouteFiles> {
  const globalError = kind === 'document' ? root.node.files['global-error'] : undefined
  const paths = [...filesOf(root), ...imageFilesOf(root)]
  if (globalError) paths.push(globalError)
  const loading = loadFiles(modules, paths)
  return loading instanceof Promise ? loading.then(byPath) : byPath(loading)
}

function byPath(files: readonly LoadedRouteFile[]): RouteFiles {
  return new Map(files.map((file) => [file.file, file]))
}

/** Loads files. @returns a promise if one of them was not loaded before */
export function loadFiles(
  { load }: RouteModules,
  paths: readonly string[],
): readonly LoadedRouteFile[] | Promise<readonly LoadedRouteFile[]> {
  const files = paths.map(load)
  return files.every(isLoaded) ? files : Promise.all(files)
}

function isLoaded(file: LoadedRouteFile | Promise<LoadedRouteFile>): file is LoadedRouteFile {
  return !(file instanceof Promise)
}

// The dev server compiles it first.
const loadWithinMs = 60_000

/** An `await` at the top level of the app's code may never end. @throws `CODE_NOT_LOADED` */
export async function loadCode<T>(loading: PromiseLike<T>, what: string): Promise<T> {
  const loaded = await withDeadline(loading, loadWithinMs)
  if (loaded !== timedOut) return loaded
  throw frameworkError('CODE_NOT_LOADED', { what, seconds: loadWithinMs / 1_000 })
}

function withHash(href: string, hash: string | undefined): Stylesheet {
  return hash === undefined ? [href] : [href, hash]
}

export function styled(element: ReactElement, { styles }: LoadedRouteFile): ReactElement {
  return styles ? createElement(Fragment, null, styles, element) : element
}

/** The segments from the root down through `children`. */
export function mainSegments(root: MatchedSegment): MatchedSegment[] {
  const line: MatchedSegment[] = []
  for (let segment: MatchedSegment | undefined = root; segment; ) {
    line.push(segment)
    segment = segment.kind === 'folder' ? segment.slots.children : undefined
  }
  return line
}

/** The file that a segment renders: the layout of a folder, or the page. */
export function renderedFile(segment: MatchedSegment): string | null | undefined {
  return segment.kind === 'folder' ? segment.node.files.layout : segment.page
}

/** Roles whose files every rendering of a segment needs. */
const renderedRoles = ['layout', 'template', 'loading', 'error'] as const

/** The files that a matched route renders with, from the root down; those behind an interception, too. */
export function filesOf(segment: MatchedSegment, files: string[] = []): string[] {
  if (segment.kind !== 'folder') {
    if (segment.page) files.push(segment.page)
    return files
  }
  for (const role of renderedRoles) {
    const file = segment.node.files[role]
    if (file) files.push(file)
  }
  for (const slot of Object.values(segment.slots)) filesOf(slot, files)
  return files
}

export function imageFilesOf(segment: MatchedSegment): string[] {
  if (segment.kind !== 'folder') return []
  return [...(segment.node.images ?? []), ...Object.values(segment.slots).flatMap(imageFilesOf)]
}

// As Vite and plugin-rsc ask for theirs: a preload counts only for a request of the same mode.
const crossOrigin = 'anonymous'

/** @returns `null` for a file that brings no styles */
function stylesheetLinks(stylesheets: readonly Stylesheet[]): ReactNode {
  if (stylesheets.length === 0) return null
  return stylesheets.map(([href, integrity]) =>
    createElement('link', {
      key: href,
      rel: 'stylesheet',
      href,
      integrity,
      precedence: stylePrecedence,
      crossOrigin,
    }),
  )
}

/**
 * Runs plugin-rsc's `loadCss` element before the render: the order would be that of the search.
 * @returns an element that renders the links at once
 */
async function findLinks(styles: ReactNode): Promise<ReactNode> {
  // An async component without props: plugin-rsc has no function for what it does.
  return isValidElement(styles) ? (styles.type as () => Promise<ReactNode>)() : styles
}
