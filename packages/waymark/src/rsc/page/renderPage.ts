import { prefersJson, problemType } from '../../http/accept.ts'
import type { HandlerResponse, HeaderLines } from '../../http/response.ts'
import type { MatchedSegment } from '../../routing/matchedSegments.ts'
import { screenJson } from '../../screens/screenDocument.ts'
import { timedOut, withDeadline } from '../../shared/promises.ts'
import { digestHeader, payloadType } from '../../wire/protocol.ts'
import { SignalError } from '../../wire/signals.ts'
import { searchParamsReader } from '../request/dynamicValue.ts'
import { forgetRequest } from '../request/scope.ts'
import { type ClientNeeds, createClientNeeds } from './clientNeeds.ts'
import { createPayload } from './createPayload.ts'
import { documentResponse } from './documentResponse.ts'
import { renderScreenAfterStatus } from './errorsAfterStatus.ts'
import {
  type Decision,
  decide,
  type Fallback,
  loadFallback,
  rootlessNotFound,
} from './fallbacks.ts'
import { ends, flightBody, renderFlight, whenIdle } from './flight.ts'
import { createFollowedPage, lastRowOf } from './followedPage.ts'
import { renderHead } from './head.ts'
import { localeOf, type PageApp, type PageRequest } from './pageRequest.ts'
import { pageResponse, redirectResponse } from './pageResponse.ts'
import { createPageStatus, type PageFailure } from './pageStatus.ts'
import { themeOfRoute } from './pageTheme.ts'
import { readRenderingConfig } from './routeConfig.ts'
import {
  filesOf,
  type LoadedRouteFile,
  loadRouteFiles,
  mainSegments,
  type RouteFiles,
  renderedFile,
} from './routeModules.ts'
import { renderSegments } from './segments.ts'

// Returned when the client leaves during the rendering. It is never sent.
const clientLeft: HandlerResponse = { status: 499, headers: [], body: null }

/**
 * Responds with a page, in this order:
 *
 * 1. `renderPage` renders the page until its status is known, with fallbacks in place of failed parts.
 * 2. Redirects, page data and JSON are sent as they are.
 * 3. Otherwise `documentResponse` renders HTML. If a client component throws during this, the page
 * is rendered once more, with a fallback in the component's place.
 *
 * @param failure of an earlier rendering, or of the action that was posted to the page
 * @throws the error of the outermost fallback
 */
export async function respondWithPage(
  page: PageRequest,
  app: PageApp,
  failure: PageFailure | null = null,
): Promise<HandlerResponse> {
  const rendered = await renderPage(page, app, failure)
  const { decision, flight } = rendered
  if (decision.kind === 'redirect') {
    flight.abandon()
    return redirectResponse(decision, page.kind, app.buildId)
  }
  if (page.kind === 'data') return pageResponse(rendered, app, [payloadType, flightBody(flight)])
  if (isJson(page, rendered)) return jsonResponse(rendered, page, app)
  try {
    return await documentResponse(rendered, { page, app, failure })
  } catch (thrown) {
    flight.abandon()
    if (page.request.signal.aborted) return clientLeft
    if (rendered.isOutermost) throw thrown
    const htmlFailure = failureInHtml(thrown, rendered, failure)
    const decision = decide([htmlFailure])
    if (decision.kind === 'redirect') return redirectResponse(decision, page.kind, app.buildId)
    return respondWithPage(page, app, htmlFailure)
  }
}

/** A page whose status is known. */
export type RenderedPage = Pick<
  PageRendering,
  'flight' | 'theme' | 'place' | 'onError' | 'clientNeeds'
> & {
  readonly decision: Exclude<Decision, { kind: 'fallback' | 'error' }>
  readonly status: number
  readonly headers: HeaderLines
  /** True if the page shows the outermost fallback, so that no fallback is left for a further failure. */
  readonly isOutermost: boolean
}

const maxFallbacks = 32

/**
 * Renders a page until its status is known. If a part fails, the page is rendered again with a fallback in place of
 * that part. If the fallback also fails, the next outer fallback is used.
 * @param failure of an earlier rendering of the same page
 * @throws the error of the outermost fallback
 */
export async function renderPage(
  page: PageRequest,
  app: PageApp,
  failure: PageFailure | null = null,
): Promise<RenderedPage> {
  const loading = loadRouteFiles(page, app)
  // Skip the await if the files are loaded, because each await takes time in every request.
  const files = loading instanceof Promise ? await loading : loading
  const notFoundPlace = rootlessNotFound(page.match.root)
  let decision: Decision = notFoundPlace
    ? { kind: 'fallback', status: page.status, place: notFoundPlace }
    : decide(failure ? [failure] : [])
  // The page and its parallel slots can fail independently, so there may be several fallbacks.
  const fallbacks: Fallback[] = []
  for (;;) {
    if (decision.kind === 'fallback' || decision.kind === 'error') {
      fallbacks.push(await loadFallback(decision, page, app))
    }
    const endTiming = page.scope.context.timings?.start('render')
    const rendering = startRendering(page, app, { files, fallbacks })
    const failures = await waitForStatus(rendering, page, app)
    endTiming?.()
    decision = decide(failures)
    const { fallback, flight, theme, place, onError, clientNeeds } = rendering
    const isOutermost = fallback !== null && fallback.place === null
    if (decision.kind === 'page' || decision.kind === 'redirect') {
      const { status } = fallback ?? page
      const headers = (fallback ?? fallbacks.at(-1))?.headers ?? []
      return { decision, status, headers, isOutermost, flight, theme, place, onError, clientNeeds }
    }
    flight.abandon()
    if (isOutermost || fallbacks.length === maxFallbacks) throw failures[0]?.thrown
  }
}

type RenderingOptions = {
  readonly files: RouteFiles
  readonly fallbacks?: readonly Fallback[]
  readonly clientNeeds?: ClientNeeds
}

/** A page that React is rendering. */
export type PageRendering = ReturnType<typeof startRendering>

/**
 * Starts to render a page. Layouts and page become segments, metadata becomes the head, and React
 * writes both into the payload as Flight. Returns without waiting.
 */
export function startRendering(page: PageRequest, app: PageApp, options: RenderingOptions) {
  const { files, fallbacks = [], clientNeeds = createClientNeeds() } = options
  const { scope } = page
  const { root } = page.match
  const fallback = fallbacks.findLast(({ isBeside }) => !isBeside) ?? null
  const fileOf = (path: string) => files.get(path) as LoadedRouteFile
  const search = import.meta.env?.DEV ? searchOfPage(page, files) : page.search
  const searchParamsOf = searchParamsReader(scope, search)

  const pageStatus = createPageStatus({
    renderScreen(failure) {
      clientNeeds.requireReact()
      return renderScreenAfterStatus(failure, page, app)
    },
    client: page.request,
  })
  scope.delayStatus = pageStatus.delay

  const segments = renderSegments(root, {
    pageStatus,
    observer: scope.context.observer,
    fileOf,
    searchParamsOf,
    mounted: page.mounted,
    fallback,
    fallbacks,
    locale: () => localeOf(page, app),
  })
  // Place of the fallback for a failure outside of layouts, page and metadata.
  const place = fallback ? (fallback.place?.outer ?? null) : segments.pagePlace

  clientNeeds.addFiles(files.values())
  clientNeeds.addFiles(fallbacks.flatMap(({ file }) => file ?? []))
  if (fallbacks.length > 0 || segments.hasScreen || page.formState) clientNeeds.requireReact()

  const head = renderHead(
    { page, app, fileOf, searchParamsOf },
    { pageStatus, fallback, segments, place },
  )
  const themes = { fileOf, isTheme: app.theme.isTheme }
  const theme = fallback?.place === null ? null : themeOfRoute(root, themes, fallback?.place)
  const followed = app.followPage?.(createFollowedPage(scope, files.values()))
  const payload = createPayload(page, app, { files, theme, segments, head: head.node, followed })
  const outcome = fallback ?? { status: page.status, digest: null }
  const model = page.envelope?.(payload, outcome) ?? payload

  /** Reports an error. @returns the error's digest, which is all that the browser gets */
  function onError(thrown: unknown): string {
    // Load React in the browser. It shows the nearest error screen or renders a client component
    // again.
    clientNeeds.requireReact()
    const decidesStatus = pageStatus.fail({ thrown, place })
    // Errors with a digest come from Fizz (React's HTML renderer), after Flight has reported them.
    if (!decidesStatus && thrown instanceof SignalError) app.warnOfSignal(thrown, page)
    return app.report(thrown, { ...page, responseStatus: decidesStatus ? 500 : page.status })
  }

  const flight = renderFlight(model, onError, {
    lastRow: followed && lastRowOf(followed, clientNeeds),
    onClientFile: clientNeeds.addRenderedFile,
  })
  return {
    pageStatus,
    fallback,
    flight,
    theme,
    place,
    onError,
    clientNeeds,
    fileOf,
    /** Sends the head of the layouts that have rendered, if a browser can already show them. */
    sendDecidedHead(): void {
      if (head.sendDecided()) clientNeeds.requireReact()
    },
  }
}

/**
 * Waits until layouts, page and metadata have rendered or the deadline has passed. Stops if the
 * client leaves.
 * @returns the failures that decide the status
 */
export async function waitForStatus(
  { pageStatus, flight, fileOf, sendDecidedHead }: PageRendering,
  { request, match, scope, wantsFinalStatus }: PageRequest,
  { settleDeadlineMs, statusDeadlineMs }: PageApp,
): Promise<readonly PageFailure[]> {
  const { channel, abandon } = flight
  const deadlineMs = wantsFinalStatus
    ? settleDeadlineMs
    : (statusDeadlineOf(match.root, fileOf) ?? statusDeadlineMs)
  // True if everything inside the page must be rendered, not only layouts, page and metadata.
  const isWhole = wantsFinalStatus || deadlineMs === Number.POSITIVE_INFINITY
  const whenRendered = () => whenIdle(channel)
  await whenRendered()
  if (!pageStatus.isSettled() || (isWhole && !channel.ended)) {
    const { signal } = request
    const settled = pageStatus.settled(whenRendered)
    const rendered = isWhole ? settled.then(() => ends(channel)) : settled
    if ((await withDeadline(rendered, deadlineMs, signal)) === timedOut) {
      pageStatus.close()
      await pageStatus.settled(whenRendered)
    }
    if (signal.aborted) abandon()
  }
  pageStatus.close()
  // A prerendered page is cached and needs its whole head, so don't send a part of it.
  if (scope.phase !== 'prerender') sendDecidedHead()
  return pageStatus.failures
}

/** Returns `statusDeadlineMs` of the innermost file that exports it. */
function statusDeadlineOf(
  root: MatchedSegment,
  fileOf: PageRendering['fileOf'],
): number | undefined {
  let deadlineMs: number | undefined
  for (const segment of mainSegments(root)) {
    const path = segment.background ? null : renderedFile(segment)
    const exported = path && fileOf(path).module.statusDeadlineMs
    if (typeof exported === 'number' && exported >= 0) deadlineMs = exported
  }
  return deadlineMs
}

/** In development, hides the query and the request from a page that is static in production. */
function searchOfPage({ match, scope, search }: PageRequest, files: RouteFiles): string {
  const routeFiles = filesOf(match.root).flatMap((path) => files.get(path) ?? [])
  const { dynamic } = readRenderingConfig(routeFiles)
  if (dynamic !== 'force-static' || scope.context.isDraft) return search
  forgetRequest(scope)
  return ''
}

/**
 * Returns the failure for a client component that threw. Its place is unknown, so the nearest
 * screen replaces the page.
 */
function failureInHtml(
  thrown: unknown,
  { place }: RenderedPage,
  earlier: PageFailure | null,
): PageFailure {
  // Without `<html>` in the root layout, even the browser can't show a screen inside it.
  const isLayout = (thrown as { code?: unknown } | null)?.code === 'ROOT_LAYOUT_HTML'
  if (isLayout) return { thrown, place: null }
  const first = earlier?.rendersInBrowser ? earlier.thrown : thrown
  return { thrown: first, place, rendersInBrowser: true }
}

/** True if the page failed and the client prefers JSON. */
function isJson({ request, scope }: PageRequest, { status }: RenderedPage): boolean {
  if (status < 400 || scope.phase === 'prerender') return false
  return prefersJson(request.headers.get('accept'))
}

function jsonResponse(rendered: RenderedPage, page: PageRequest, app: PageApp): HandlerResponse {
  rendered.flight.abandon()
  const { status, headers } = rendered
  const digest = headers.find(([name]) => name === digestHeader)?.[1]
  const body = screenJson({ status, digest, locale: localeOf(page, app) })
  return pageResponse(rendered, app, [problemType, body])
}
