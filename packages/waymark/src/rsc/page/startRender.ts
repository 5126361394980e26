import type { ComponentType } from 'react'
import type { MatchedSegment } from '../../routing/matchedSegments.ts'
import type { ErrorScreenProps, Payload, Stylesheet } from '../../shared/payload.ts'
import { SignalError } from '../../shared/signals.ts'
import { searchParamsReader } from '../request/dynamicValue.ts'
import { isClientReference } from './clientComponents.ts'
import type { Fallback } from './fallbacks.ts'
import { type FlightRender, renderFlight } from './flight.ts'
import {
  createGuardedHead,
  describingSegments,
  type GuardedHead,
  type HeadRequest,
  renderFrontHead,
  renderHead,
} from './head.ts'
import { renderLateError } from './lateErrors.ts'
import { localeOf, type PageApp, type PageRequest } from './pageRequest.ts'
import { themeOfRoute } from './pageTheme.ts'
import { filesOf, type RouteFile } from './routeModules.ts'
import { loadingKeys, type RenderedSegments, renderSegments, type SlotPath } from './segments.ts'
import { createStatusGate, type StatusGate } from './statusGate.ts'

/** The loaded files of a route, by path. */
export type RouteFiles = ReadonlyMap<string, RouteFile>

/** A page that is being rendered, and the gate that collects its failures. */
export type PageRender = {
  readonly gate: StatusGate<SlotPath | null>
  readonly flight: FlightRender
  /** The theme that the shown files force. */
  readonly theme: string | null
  /** Where the fallback is looked for of a failure outside of layouts, page and metadata. */
  readonly place: SlotPath | null
  /** Reports what a component threw. @returns the digest, all that the browser gets */
  readonly onError: (thrown: unknown) => string
  readonly fileOf: (path: string) => RouteFile
  /** Sends the head of what stands in front of the layouts that have not rendered yet. */
  readonly cutHead: () => void
}

/** Loads the files that a page renders with. */
export function loadRouteFiles(
  { match, kind }: PageRequest,
  { modules }: PageApp,
): RouteFiles | Promise<RouteFiles> {
  const globalError = kind === 'document' ? match.root.node.files['global-error'] : undefined
  const paths = [...filesOf(match.root), ...(globalError ? [globalError] : [])]
  const files = paths.map(modules.load)
  const isLoaded = (file: RouteFile | Promise<RouteFile>): file is RouteFile =>
    !(file instanceof Promise)
  return files.every(isLoaded) ? byPath(files) : Promise.all(files).then(byPath)
}

function byPath(files: readonly RouteFile[]): RouteFiles {
  return new Map(files.map((file) => [file.file, file]))
}

/**
 * Starts to render a page: its layouts and its page run, and its payload is written.
 * @param fallback shown in place of the part that failed before
 */
export function startRender(
  page: PageRequest,
  app: PageApp,
  { files, fallback = null }: { files: RouteFiles; fallback?: Fallback | null },
): PageRender {
  const { scope, request } = page
  const { root, params, interceptedFrom } = page.match
  const { pathname, search } = page.shown
  const fileOf = (path: string) => files.get(path) as RouteFile
  const gate = createStatusGate<SlotPath | null>((failure) => renderLateError(failure, page, app), {
    passageTo: (place) => place?.passage ?? null,
    request,
  })
  scope.hold = gate.hold
  const searchParamsOf = searchParamsReader(scope, page.search)
  const { held } = page
  const rendered = renderSegments(root, { gate, fileOf, searchParamsOf, held, fallback })
  const place = fallback ? (fallback.place?.outer ?? null) : rendered.pagePlace
  const head = headOf(
    { root, fileOf, searchParamsOf, origin: page.origin, pathname: page.pathname },
    { page, app, fallback, rendered, gate, place },
  )
  const onError = (thrown: unknown) => {
    const isInTime = gate.add({ thrown, place })
    // Fizz reports errors that Flight has reported already, as an error with a digest.
    if (!isInTime && thrown instanceof SignalError) app.onLateSignal(thrown, page)
    return app.report(thrown, { ...page, answerStatus: isInTime ? 500 : page.status })
  }
  const theme = themeOf(root, fileOf, { app, fallback })
  const isDocument = page.kind === 'document'
  // A static page is rendered once: the payload of its document serves as data, too.
  const stylesheets = isDocument && scope.phase !== 'prerender' ? [] : stylesheetsOf(files)
  const globalError = isDocument ? globalErrorOf(root, files) : null
  const payload: Payload = {
    tree: rendered.tree,
    route: { pathname, search, params },
    ...(theme === null ? {} : { theme }),
    ...(stylesheets.length > 0 ? { stylesheets } : {}),
    ...(globalError ? { globalError } : {}),
    ...(isDocument ? { build: app.buildId } : {}),
    ...(page.formState ? { formState: page.formState.value } : {}),
    ...(page.isShell ? { isShell: true } : {}),
    ...(interceptedFrom ? { isOver: true } : {}),
    // In this order, outer layouts have mostly rendered when what is inside of them renders.
    ...(Object.keys(rendered.guards).length > 0 ? { guards: rendered.guards } : {}),
    segments: rendered.segments,
    // After the layouts that it waits for: where they render at once, so does it.
    head: head.node,
  }
  const result = fallback ?? { status: page.status, digest: null }
  const flight = renderFlight(page.envelope?.(payload, result) ?? payload, onError)
  return { gate, flight, theme, place, onError, fileOf, cutHead: head.cut }
}

/** The head of a page leaves with what it describes: once the layouts around that let it. */
function headOf(
  source: Omit<HeadRequest, 'locale'>,
  render: Pick<PageRender, 'gate' | 'place'> & {
    readonly page: PageRequest
    readonly app: PageApp
    readonly fallback: Fallback | null
    readonly rendered: RenderedSegments
  },
): GuardedHead {
  const { page, app, fallback, rendered, gate, place } = render
  if (page.isShell) return { node: [], cut() {} }
  const request = { ...source, locale: () => localeOf(page, app) }
  const { passages, screenPassage } = rendered
  const line = describingSegments(request.root)
  const isOpen = (segment: MatchedSegment) => {
    const passage = passages.get(segment)
    return passage !== undefined && (passage === null || passage.isOpen === true)
  }
  const whole = fallback?.head ?? renderHead(request, app.resolveMetadata)
  if (whole instanceof Promise) gate.follow(place, whole)
  const innermost = line.at(-1)
  return createGuardedHead({
    passage: fallback ? screenPassage : ((innermost && passages.get(innermost)) ?? null),
    whole,
    front: () => renderFrontHead(request, app.resolveMetadata, isOpen),
    canCut() {
      const undecided = line.find((segment) => !isOpen(segment))
      if (fallback || !undecided || page.held.has(undecided.key)) return false
      return loadingKeys(request.root).has(undecided.key)
    },
    page: page.shown.pathname + page.shown.search,
  })
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

function themeOf(
  root: MatchedSegment,
  fileOf: (path: string) => RouteFile,
  { app, fallback }: { app: PageApp; fallback: Fallback | null },
): string | null {
  if (fallback && fallback.place === null) return null
  return themeOfRoute(root, { fileOf, isTheme: app.theme.isTheme }, fallback?.place ?? null)
}
