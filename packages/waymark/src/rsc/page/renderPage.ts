import type { ComponentType } from 'react'
import type { HeaderLines } from '../../http/response.ts'
import { isClientReference } from '../../react/clientReference.ts'
import type { MatchedSegment } from '../../routing/matchedSegments.ts'
import { withBasePath } from '../../shared/basePath.ts'
import type { ErrorScreenProps, Payload, Stylesheet } from '../../wire/payload.ts'
import { SignalError } from '../../wire/signals.ts'
import { searchParamsReader } from '../request/dynamicValue.ts'
import { forgetRequest } from '../request/scope.ts'
import { type ClientNeeds, createClientNeeds } from './clientNeeds.ts'
import { bareNotFound, type Decision, decide, type Fallback, loadFallback } from './fallbacks.ts'
import { renderFlight } from './flight.ts'
import { createFollowedPage, type FollowPage } from './followedPage.ts'
import { renderHead } from './head.ts'
import { renderLateError } from './lateErrors.ts'
import { localeOf, type PageApp, type PageRequest } from './pageRequest.ts'
import { createPageRun, decideStatus, type PageFailure } from './pageRun.ts'
import { themeOfRoute } from './pageTheme.ts'
import { readRenderingConfig } from './routeConfig.ts'
import {
  filesOf,
  imageFilesOf,
  type LoadedRouteFile,
  loadFiles,
  mainSegments,
  renderedFile,
} from './routeModules.ts'
import { renderSegments, type SlotPath } from './segments.ts'

export type DecidedPage = Pick<PageRender, 'flight' | 'theme' | 'place' | 'onError' | 'needs'> & {
  readonly decision: Exclude<Decision, { kind: 'fallback' | 'error' }>
  readonly status: number
  readonly headers: HeaderLines
  /** Whether it shows the outermost fallback, whose own failure has none. */
  readonly isOutermost: boolean
}

/**
 * Renders a page until its status is known. Where a part of it failed, it is rendered again with a
 * fallback in place of that part; where that fails, with the next fallback further out.
 * @param known a failure of an earlier rendering of the same page
 * @throws what the outermost fallback threw
 */
export async function renderPage(
  asked: PageRequest,
  app: PageApp,
  known: PageFailure<SlotPath | null> | null = null,
): Promise<DecidedPage> {
  const loading = loadRouteFiles(asked, app)
  const files = loading instanceof Promise ? await loading : loading
  const page = import.meta.env?.DEV ? withoutSharedRequest(asked, files) : asked
  const bare = bareNotFound(page.match.root)
  let decision: Decision = bare
    ? { kind: 'fallback', status: page.status, place: bare }
    : decide(known ? [known] : [])
  // Page and slots beside it may fail each: what one of them shows stays when another fails.
  const fallbacks: Fallback[] = []
  for (;;) {
    if (decision.kind === 'fallback' || decision.kind === 'error') {
      fallbacks.push(await loadFallback(decision, page, app))
    }
    const fallback = fallbacks.findLast(({ isBeside }) => !isBeside) ?? null
    const endTiming = page.scope.context.timings?.start('render')
    const render = startRender(page, app, { files, fallback, fallbacks })
    const failures = await waitForStatus(render, page, app)
    endTiming?.()
    decision = decide(failures)
    const isOutermost = fallback !== null && fallback.place === null
    if (decision.kind === 'page' || decision.kind === 'redirect') {
      const { status } = fallback ?? page
      const headers = (fallback ?? fallbacks.at(-1))?.headers ?? []
      const { flight, theme, place, onError, needs } = render
      return { flight, theme, place, onError, needs, decision, status, headers, isOutermost }
    }
    render.flight.abandon()
    if (isOutermost || fallbacks.length === maxFallbacks) throw failures[0]?.thrown
  }
}

const maxFallbacks = 32

function withoutSharedRequest(page: PageRequest, files: RouteFiles): PageRequest {
  const { match, scope } = page
  const configured = filesOf(match.root).flatMap((path) => files.get(path) ?? [])
  const { dynamic } = readRenderingConfig(configured)
  if (dynamic !== 'force-static' || scope.context.isDraft) return page
  forgetRequest(scope)
  return { ...page, search: '' }
}

type RouteFiles = ReadonlyMap<string, LoadedRouteFile>

export function loadRouteFiles(
  { match, kind }: PageRequest,
  { modules }: PageApp,
): RouteFiles | Promise<RouteFiles> {
  const globalError = kind === 'document' ? match.root.node.files['global-error'] : undefined
  const paths = [
    ...filesOf(match.root),
    ...imageFilesOf(match.root),
    ...(globalError ? [globalError] : []),
  ]
  const loading = loadFiles(modules, paths)
  return loading instanceof Promise ? loading.then(byPath) : byPath(loading)
}

function byPath(files: readonly LoadedRouteFile[]): RouteFiles {
  return new Map(files.map((file) => [file.file, file]))
}

export type PageRender = ReturnType<typeof startRender>

type RenderOptions = {
  readonly files: RouteFiles
  /** The one of the fallbacks that the page has come to. */
  readonly fallback?: Fallback | null
  readonly fallbacks?: readonly Fallback[]
  readonly needs?: ClientNeeds
}

export function startRender(page: PageRequest, app: PageApp, options: RenderOptions) {
  const { files, fallback = null, fallbacks = [], needs = createClientNeeds() } = options
  const { scope, request } = page
  const { root, params } = page.match
  const { pathname, search } = page.shown
  const fileOf = (path: string) => files.get(path) as LoadedRouteFile
  const run = createPageRun<SlotPath | null>({
    onLateFailure(failure) {
      needs.requireReact()
      return renderLateError(failure, page, app)
    },
    client: request,
  })
  scope.delayStatus = run.delayStatus
  const searchParamsOf = searchParamsReader(scope, page.search)
  const rendered = renderSegments(root, {
    run,
    fileOf,
    searchParamsOf,
    mounted: page.mounted,
    fallback,
    fallbacks,
    locale: () => localeOf(page, app),
  })
  needs.addFiles(files.values())
  needs.addFiles(fallbacks.flatMap(({ file }) => file ?? []))
  if (fallbacks.length > 0 || rendered.hasScreen || page.formState) needs.requireReact()
  // Where the fallback is looked for of a failure outside of layouts, page and metadata.
  const place = fallback ? (fallback.place?.outer ?? null) : rendered.pagePlace
  const head = renderHead({ page, app, fileOf, searchParamsOf }, { run, fallback, rendered, place })
  /** @returns the digest, all that the browser gets of an error */
  const onError = (thrown: unknown): string => {
    // The browser shows the nearest error screen, or tries a client component once more.
    needs.requireReact()
    const isInTime = run.fail({ thrown, place })
    // Fizz reports errors that Flight has reported already, as an error with a digest.
    if (!isInTime && thrown instanceof SignalError) app.onLateSignal(thrown, page)
    return app.report(thrown, { ...page, responseStatus: isInTime ? 500 : page.status })
  }
  const themes = { fileOf, isTheme: app.theme.isTheme }
  const theme = fallback?.place === null ? null : themeOfRoute(root, themes, fallback?.place)
  const live = app.live?.(createFollowedPage(scope, files.values()))
  const payload: Payload = {
    tree: rendered.tree,
    route: { pathname: withBasePath(pathname), search, params },
    ...optionalFields(page, app, { files, theme }),
    // In this order, outer layouts have mostly rendered when what is inside of them renders.
    ...(Object.keys(rendered.guards).length > 0 ? { guards: rendered.guards } : {}),
    segments: rendered.segments,
    head: head.node,
    ...(live ? { rendering: live.rendering } : {}),
  }
  const result = fallback ?? { status: page.status, digest: null }
  const model = page.envelope?.(payload, result) ?? payload
  const flight = renderFlight(model, onError, {
    lastRow: live && lastRowOf(live, needs),
    onClientFile: needs.addRenderedFile,
  })
  return {
    run,
    flight,
    theme,
    place,
    onError,
    needs,
    fileOf,
    sendEarlyHead() {
      if (head.sendEarly()) needs.requireReact()
    },
  }
}

/** Writes the end of a payload. A page that is kept current needs React to show what has changed. */
export function lastRowOf(
  { lastRow }: Pick<ReturnType<FollowPage>, 'lastRow'>,
  needs: ClientNeeds,
): () => string {
  return () => {
    const row = lastRow()
    if (row !== '') needs.requireReact()
    return row
  }
}

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
    build: buildId,
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

/** @returns what failed until the status was decided */
export async function waitForStatus(
  { run, flight, fileOf, sendEarlyHead }: PageRender,
  { request, match, scope, wantsFinalStatus }: PageRequest,
  { settleDeadlineMs, statusDeadlineMs }: PageApp,
): Promise<readonly PageFailure<SlotPath | null>[]> {
  const deadlineMs = wantsFinalStatus
    ? settleDeadlineMs
    : (statusDeadlineOf(match.root, fileOf) ?? statusDeadlineMs)
  const isWhole = wantsFinalStatus || deadlineMs === Number.POSITIVE_INFINITY
  const failures = await decideStatus(run, flight, { deadlineMs, isWhole, client: request })
  // A page for the cache waits for all of its head.
  if (scope.phase !== 'prerender') sendEarlyHead()
  return failures
}

/** What the innermost file of a route exports as `statusDeadlineMs`. */
function statusDeadlineOf(root: MatchedSegment, fileOf: PageRender['fileOf']): number | undefined {
  let found: number | undefined
  for (const segment of mainSegments(root)) {
    const path = segment.background ? null : renderedFile(segment)
    const own = path && fileOf(path).module.statusDeadlineMs
    if (typeof own === 'number' && own >= 0) found = own
  }
  return found
}
