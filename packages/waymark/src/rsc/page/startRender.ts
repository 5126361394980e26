import type { ComponentType, ReactNode } from 'react'
import type { MatchedSegment } from '../../routing/matchedSegments.ts'
import type { ErrorScreenProps, Payload, Stylesheet } from '../../shared/payload.ts'
import { SignalError } from '../../shared/signals.ts'
import { searchParamsReader } from '../request/dynamicValue.ts'
import { isClientReference } from './clientComponents.ts'
import type { Fallback } from './fallbacks.ts'
import { type FlightRender, renderFlight } from './flight.ts'
import { createGuardedHead, type GuardedHead } from './guardedHead.ts'
import { describingSegments, type HeadRequest, renderFrontHead, renderHead } from './head.ts'
import { renderLateError } from './lateErrors.ts'
import { localeOf, type PageApp, type PageRequest } from './pageRequest.ts'
import { themeOfRoute } from './pageTheme.ts'
import { filesOf, type RouteFile } from './routeModules.ts'
import { loadingKeys, type RenderedSegments, renderSegments, type SlotPath } from './segments.ts'
import { createStatusGate, type StatusGate } from './statusGate.ts'

/** A page that is being written, with the gate that tells how its deciders went. */
export type StartedRender = {
  readonly gate: StatusGate<SlotPath | null>
  readonly flight: FlightRender
  readonly theme: string | null
  /** Where the failures of what is no decider are answered from. */
  readonly place: SlotPath | null
  /** Reports what a component threw. @returns the digest, all that the browser gets */
  readonly onError: (thrown: unknown) => string
  readonly fileOf: (path: string) => RouteFile
  /** Sends what is known of the head, where some of it stands behind an undecided layout. */
  readonly cutHead: () => void
}

/**
 * Begins to render a page: its deciders run, its payload is being written.
 * @param replacement the screen that an earlier try ended with
 * @returns at once where all its files were loaded before
 */
export function startRender(
  page: PageRequest,
  app: PageApp,
  replacement: Fallback | null,
): StartedRender | Promise<StartedRender> {
  const files = loadFiles(page, app)
  return files instanceof Promise
    ? files.then((loaded) => begin(page, app, { replacement, files: loaded }))
    : begin(page, app, { replacement, files })
}

type Options = {
  readonly replacement: Fallback | null
  readonly files: ReadonlyMap<string, RouteFile>
}

function begin(page: PageRequest, app: PageApp, { replacement, files }: Options): StartedRender {
  const fileOf = (path: string) => files.get(path) as RouteFile
  const { root } = page.match
  const gate = createStatusGate<SlotPath | null>((failure) => renderLateError(failure, page, app), {
    passageTo: (place) => place?.passage ?? null,
    request: page.request,
  })
  page.scope.hold = gate.hold
  const searchParamsOf = searchParamsReader(page.scope, page.search)
  const source = { gate, fileOf, searchParamsOf, held: page.held, replacement }
  const rendered = renderSegments(root, source)
  const place = replacement ? (replacement.place?.outer ?? null) : rendered.pagePlace
  const { origin, pathname } = page
  const locale = () => localeOf(page, app)
  const request = { root, fileOf, origin, pathname, searchParamsOf, locale }
  const head = headOf(request, { page, app, replacement, rendered, gate, place })
  const onError = (thrown: unknown) => {
    const isInTime = gate.add({ thrown, place })
    // Of one that React could not answer, the other renderer hears again, as of a mere digest.
    if (!isInTime && thrown instanceof SignalError) app.onLateSignal(thrown, page)
    return app.report(thrown, { ...page, answerStatus: isInTime ? 500 : page.status })
  }
  const theme = themeOf(root, fileOf, { app, replacement })
  // What is rendered ahead is rendered once: its payload serves as data, too.
  const isData = page.kind === 'data' || page.scope.phase === 'prerender'
  const stylesheets = isData ? stylesheetsOf(files) : []
  const globalError = page.kind === 'document' ? globalErrorOf(root, files) : null
  const build = page.kind === 'document' ? app.buildId : null
  const payload = payloadOf(page, rendered, {
    head: head.node,
    theme,
    stylesheets,
    globalError,
    build,
  })
  const flight = renderFlight(modelOf(payload, page, replacement), onError)
  return { gate, flight, theme, place, onError, fileOf, cutHead: head.cut }
}

/** The head of a page leaves with what it describes: once the layouts around it let it pass. */
function headOf(
  request: HeadRequest,
  parts: Pick<StartedRender, 'gate' | 'place'> & {
    readonly page: PageRequest
    readonly app: PageApp
    readonly replacement: Fallback | null
    readonly rendered: RenderedSegments
  },
): GuardedHead {
  const { page, app, replacement, rendered, gate, place } = parts
  const { passages, screenPassage } = rendered
  if (page.isShell) return { node: [], cut() {} }
  const line = describingSegments(request.root)
  const isOpen = (segment: MatchedSegment) => {
    const passage = passages.get(segment)
    return passage !== undefined && (passage === null || passage.isOpen === true)
  }
  const whole = replacement?.head ?? renderHead(request, app.resolveMetadata)
  if (whole instanceof Promise) gate.follow(place, whole)
  const innermost = line.at(-1)
  return createGuardedHead({
    passage: replacement ? screenPassage : ((innermost && passages.get(innermost)) ?? null),
    whole,
    front: () => renderFrontHead(request, app.resolveMetadata, isOpen),
    canCut() {
      const undecided = line.find((segment) => !isOpen(segment))
      if (replacement || !undecided || page.held.has(undecided.key)) return false
      return loadingKeys(request.root).has(undecided.key)
    },
    page: page.shown.pathname + page.shown.search,
  })
}

function modelOf(payload: Payload, page: PageRequest, replacement: Fallback | null): unknown {
  if (!page.envelope) return payload
  const { status, digest } = replacement ?? { status: page.status, digest: null }
  return page.envelope(payload, { status, digest })
}

function payloadOf(
  { shown: { pathname, search }, match, formState, isShell }: PageRequest,
  { tree, segments, guards }: RenderedSegments,
  parts: {
    head: ReactNode
    theme: string | null
    stylesheets: readonly Stylesheet[]
    globalError: Payload['globalError'] | null
    build: string | null
  },
): Payload {
  const { head, theme, stylesheets, globalError, build } = parts
  return {
    tree,
    route: { pathname, search, params: match.params },
    ...(theme === null ? {} : { theme }),
    ...(stylesheets.length > 0 ? { stylesheets } : {}),
    ...(globalError ? { globalError } : {}),
    ...(build === null ? {} : { build }),
    ...(formState ? { formState: formState.value } : {}),
    ...(isShell ? { isShell } : {}),
    ...(match.interceptedFrom ? { isOver: true } : {}),
    // In this order, so that what stands outside has mostly decided when its inside is rendered.
    ...(isEmpty(guards) ? {} : { guards }),
    segments,
    // After the layouts that it waits for: where they decide at once, it is there at once.
    head,
  }
}

function isEmpty(record: object): boolean {
  for (const _ in record) return false
  return true
}

// A document has them in its head; a navigation waits for them before it shows the page.
function stylesheetsOf(files: ReadonlyMap<string, RouteFile>): readonly Stylesheet[] {
  const all = [...files.values()].flatMap((file) => file.stylesheets)
  return [...new Map(all.map((stylesheet) => [stylesheet[0], stylesheet])).values()]
}

// A server component can't render what failed in the browser.
function globalErrorOf(
  root: MatchedSegment,
  files: ReadonlyMap<string, RouteFile>,
): Payload['globalError'] | null {
  const path = root.node.files['global-error']
  const file = path === undefined ? undefined : files.get(path)
  const screen = file?.module.default as ComponentType<ErrorScreenProps> | undefined
  return file && screen && isClientReference(screen) ? { screen, styles: file.styles } : null
}

function themeOf(
  root: MatchedSegment,
  fileOf: (path: string) => RouteFile,
  { app, replacement }: { app: PageApp; replacement: Fallback | null },
): string | null {
  if (replacement && replacement.place === null) return null
  return themeOfRoute(root, { fileOf, isTheme: app.theme.isTheme }, replacement?.place ?? null)
}

/** @returns the files themselves when all were loaded before */
function loadFiles(
  { match, kind }: PageRequest,
  { modules }: PageApp,
): Map<string, RouteFile> | Promise<Map<string, RouteFile>> {
  const globalError = kind === 'document' ? match.root.node.files['global-error'] : undefined
  const files = [...filesOf(match.root), ...(globalError ? [globalError] : [])].map(modules.load)
  const keep = (loaded: RouteFile[]) => new Map(loaded.map((file) => [file.file, file]))
  return files.some((file) => file instanceof Promise)
    ? Promise.all(files).then(keep)
    : keep(files as RouteFile[])
}
