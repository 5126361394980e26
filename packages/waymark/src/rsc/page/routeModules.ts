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

/** A module in the app folder: its exports, keyed by name. */
export type RouteModule = {
  readonly default?: ComponentType<Record<string, unknown>>
  readonly [name: string]: unknown
}

export type LoadedRouteFile = {
  readonly file: string
  readonly module: RouteModule
  readonly styles: ReactNode
  /** Wraps the file's element, if a package does so. */
  readonly wrap?: WrapFile | undefined
  /** The module's stylesheets, if the build knows them. */
  readonly stylesheets: readonly Stylesheet[]
  /** Keys of the client references that the module may show. */
  readonly clientFiles: readonly string[]
  /** True if the file may show a client component, or a form with a server action. */
  readonly mayNeedReact: boolean
}

/** Wraps the element of a route file. */
export type WrapFile = (element: ReactElement, file: string) => ReactElement

/** Sources from which route files are loaded. Records are keyed by the files' paths. */
export type RouteModuleSources = {
  /** Throws if a file's exports are wrong. */
  readonly check?: (file: Pick<LoadedRouteFile, 'file' | 'module'>) => void
  readonly imports: Readonly<Record<string, () => Promise<RouteModule>>>
  readonly wrap?: WrapFile | undefined
  /** In a build: URLs of a file's stylesheets. */
  readonly stylesheets: Readonly<Record<string, readonly string[]>>
  /** In a build: URLs of the scripts of client components, for pages and layouts. */
  readonly scripts?: Readonly<Record<string, readonly string[]>>
  /** In a build: keys of the client references that a file may show. `null` in development. */
  readonly clientFiles?: Readonly<Record<string, readonly string[]>> | null
  /** In a build: files that import a server action, directly or through other files. */
  readonly actionFiles?: ReadonlySet<string>
  /** Hashes of scripts and stylesheets, keyed by URL. */
  readonly integrity?: Integrity
  /**
   * In development: loads a module with an element that finds the file's stylesheets when it
   * renders.
   */
  readonly devStyles: Readonly<Record<string, () => Promise<{ readonly styles: ReactNode }>>>
}

export type RouteModules = ReturnType<typeof createRouteModules>

export function createRouteModules(sources: RouteModuleSources) {
  const { imports, stylesheets: hrefs, scripts: urls = {}, integrity = {}, devStyles } = sources
  const { clientFiles: references = null, actionFiles, wrap } = sources
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
    const routeFile = { file, module, styles, wrap, stylesheets, clientFiles, mayNeedReact }
    loaded.set(file, routeFile)
    return routeFile
  }

  return {
    /** Loads a file. @returns the file if it is already loaded, otherwise a promise */
    load: (file: string): LoadedRouteFile | Promise<LoadedRouteFile> =>
      loaded.get(file) ?? load(file),
    /**
     * In a build: returns a page's or layout's scripts and stylesheets without loading its file.
     */
    assetsOf: (file: string): readonly Stylesheet[] =>
      [...(urls[file] ?? []), ...(hrefs[file] ?? [])].map(hashed),
  }
}

/** A route's loaded files, by path. */
export type RouteFiles = ReadonlyMap<string, LoadedRouteFile>

/** Loads all files that rendering a page may need. @returns a promise if a file has to be loaded first */
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

/** Loads files. @returns a promise if a file has to be loaded first */
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

// Maximum milliseconds for loading app code, including compiling it in development.
const loadWithinMs = 60_000

/**
 * Waits for app code to load. The wait has a limit, because a top-level `await` may never end.
 * @throws `CODE_NOT_LOADED`
 */
export async function loadCode<T>(loading: PromiseLike<T>, what: string): Promise<T> {
  const loaded = await withDeadline(loading, loadWithinMs)
  if (loaded !== timedOut) return loaded
  throw frameworkError('CODE_NOT_LOADED', { what, seconds: loadWithinMs / 1_000 })
}

function withHash(href: string, hash: string | undefined): Stylesheet {
  return hash === undefined ? [href] : [href, hash]
}

/** Adds what a file's element needs: its stylesheets, and what packages wrap around it. */
export function completeElement(
  element: ReactElement,
  { file, styles, wrap }: LoadedRouteFile,
): ReactElement {
  const wrapped = wrap ? wrap(element, file) : element
  return styles ? createElement(Fragment, null, styles, wrapped) : wrapped
}

/** Returns the segments along `children`, from the root down. */
export function mainSegments(root: MatchedSegment): MatchedSegment[] {
  const line: MatchedSegment[] = []
  for (let segment: MatchedSegment | undefined = root; segment; ) {
    line.push(segment)
    segment = segment.kind === 'folder' ? segment.slots.children : undefined
  }
  return line
}

/** Returns the file that a segment renders: a folder's layout, or the page. */
export function renderedFile(segment: MatchedSegment): string | null | undefined {
  return segment.kind === 'folder' ? segment.node.files.layout : segment.page
}

/** Roles of the files that are needed to render a segment. */
const renderedRoles = ['layout', 'template', 'loading', 'error'] as const

/**
 * Returns the files that a route renders with, from the root down, including the files of pages behind an interception.
 */
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

// Vite and plugin-rsc use the same CORS mode. With a different one, browsers would ignore the
// preload.
const crossOrigin = 'anonymous'

/** Returns the links to a file's stylesheets, or `null` for a file without styles. */
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
 * Runs plugin-rsc's `loadCss` element before the page renders. Otherwise the order of the
 * stylesheets would depend on which element finishes first.
 * @returns an element that renders the links at once
 */
async function findLinks(styles: ReactNode): Promise<ReactNode> {
  // plugin-rsc exports no function for this, so call the element's component, which is async and
  // has no props.
  return isValidElement(styles) ? (styles.type as () => Promise<ReactNode>)() : styles
}
