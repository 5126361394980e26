import type { ComponentType } from 'react'
import { isClientReference } from '../../react/marks.ts'
import type { MatchedSegment } from '../../routing/matchedSegments.ts'
import { withBasePath } from '../../shared/basePath.ts'
import type { ErrorScreenProps, Payload, Stylesheet } from '../../shared/payload.ts'
import { SignalError } from '../../shared/signals.ts'
import { searchParamsReader } from '../request/dynamicValue.ts'
import type { Fallback } from './fallbacks.ts'
import { renderFlight } from './flight.ts'
import { renderHead } from './head.ts'
import { renderLateError } from './lateErrors.ts'
import { localeOf, type PageApp, type PageRequest } from './pageRequest.ts'
import { createPageRun } from './pageRun.ts'
import { themeOfRoute } from './pageTheme.ts'
import { filesOf, imageFilesOf, type LoadedRouteFile } from './routeModules.ts'
import { renderSegments, type SlotPath } from './segments.ts'

/** The loaded files of a route, by path. */
type RouteFiles = ReadonlyMap<string, LoadedRouteFile>

/** A page that is being rendered, and the run that collects its failures. */
export type PageRender = ReturnType<typeof startRender>

/** Loads the files that a page renders with. */
export function loadRouteFiles(
  { match, kind }: PageRequest,
  { modules }: PageApp,
): RouteFiles | Promise<RouteFiles> {
  const globalError = kind === 'document' ? match.root.node.files['global-error'] : undefined
  const rendered = [...filesOf(match.root), ...imageFilesOf(match.root)]
  const paths = [...rendered, ...(globalError ? [globalError] : [])]
  const files = paths.map(modules.load)
  const isLoaded = (file: LoadedRouteFile | Promise<LoadedRouteFile>): file is LoadedRouteFile =>
    !(file instanceof Promise)
  return files.every(isLoaded) ? byPath(files) : Promise.all(files).then(byPath)
}

function byPath(files: readonly LoadedRouteFile[]): RouteFiles {
  return new Map(files.map((file) => [file.file, file]))
}

/**
 * Starts to render a page: its layouts and its page run, and its payload is written.
 * @param failed `fallbacks` are shown in place of the parts that failed before; `fallback` is the
 *   one of them that the page has come to
 */
export function startRender(
  page: PageRequest,
  app: PageApp,
  failed: { files: RouteFiles; fallback?: Fallback | null; fallbacks?: readonly Fallback[] },
) {
  const { files, fallback = null, fallbacks = [] } = failed
  const { scope, request } = page
  const { root, params } = page.match
  const { pathname, search } = page.shown
  const fileOf = (path: string) => files.get(path) as LoadedRouteFile
  const run = createPageRun<SlotPath | null>({
    onLateFailure: (failure) => renderLateError(failure, page, app),
    client: request,
  })
  scope.hold = run.hold
  const searchParamsOf = searchParamsReader(scope, page.search)
  const rendered = renderSegments(root, {
    ...{ run, fileOf, searchParamsOf, mounted: page.mounted, fallback, fallbacks },
    locale: () => localeOf(page, app),
  })
  // Where the fallback is looked for of a failure outside of layouts, page and metadata.
  const place = fallback ? (fallback.place?.outer ?? null) : rendered.pagePlace
  const head = renderHead({ page, app, fileOf, searchParamsOf }, { run, fallback, rendered, place })
  /** Reports what a component threw. @returns the digest, all that the browser gets */
  const onError = (thrown: unknown): string => {
    const isInTime = run.fail({ thrown, place })
    // Fizz reports errors that Flight has reported already, as an error with a digest.
    if (!isInTime && thrown instanceof SignalError) app.onLateSignal(thrown, page)
    return app.report(thrown, { ...page, responseStatus: isInTime ? 500 : page.status })
  }
  const themes = { fileOf, isTheme: app.theme.isTheme }
  const theme = fallback?.place === null ? null : themeOfRoute(root, themes, fallback?.place)
  const payload: Payload = {
    tree: rendered.tree,
    route: { pathname: withBasePath(pathname), search, params },
    ...optionalFields(page, app, { files, theme }),
    // In this order, outer layouts have mostly rendered when what is inside of them renders.
    ...(Object.keys(rendered.guards).length > 0 ? { guards: rendered.guards } : {}),
    segments: rendered.segments,
    // After the layouts that it waits for: where they render at once, so does it.
    head: head.node,
  }
  const result = fallback ?? { status: page.status, digest: null }
  const flight = renderFlight(page.envelope?.(payload, result) ?? payload, onError)
  return {
    run,
    flight,
    /** The theme that the shown files force. */
    theme,
    place,
    onError,
    fileOf,
    /** Sends the head of what stands in front of the layouts that have not rendered yet. */
    cutHead: head.cut,
  }
}

/** The fields of a payload that are left out where they say nothing. */
function optionalFields(
  page: PageRequest,
  { buildId }: PageApp,
  { files, theme }: { files: RouteFiles; theme: string | null },
): Partial<Payload> {
  const isDocument = page.kind === 'document'
  const { match, scope, formState } = page
  // A static page is rendered once: the payload of its document serves as data, too.
  const stylesheets = isDocument && scope.phase !== 'prerender' ? [] : stylesheetsOf(files)
  const globalError = isDocument ? globalErrorOf(match.root, files) : null
  return {
    ...(theme === null ? {} : { theme }),
    ...(stylesheets.length > 0 ? { stylesheets } : {}),
    ...(globalError ? { globalError } : {}),
    ...(isDocument ? { build: buildId } : {}),
    ...(formState ? { formState: formState.value } : {}),
    ...(page.isShell ? { isShell: true } : {}),
    ...(match.interceptedFrom ? { isOver: true } : {}),
  }
}

// A document has them in its head; a navigation waits for them before it shows the page.
function stylesheetsOf(files: RouteFiles): readonly Stylesheet[] {
  const all = [...files.values()].flatMap((file) => file.stylesheets)
  return [...new Map(all.map((stylesheet) => [stylesheet[0], stylesheet])).values()]
}

// A server component can't render what failed in the browser.
function globalErrorOf(root: MatchedSegment, files: RouteFiles): Payload['globalError'] | null {
  const file = files.get(root.node.files['global-error'] ?? '')
  const screen = file?.module.default as ComponentType<ErrorScreenProps> | undefined
  return file && screen && isClientReference(screen) ? { screen, styles: file.styles } : null
}
