import { type ComponentType, createElement, Fragment, type ReactNode } from 'react'
import { LateRedirect, ServerError } from '../../components/boundaries.tsx'
import type { MatchedSegment } from '../../routing/matchedSegments.ts'
import type { Role } from '../../routing/routeFile.ts'
import { type ScreenRequest, screenModel, screenOfStatus } from '../../screens/model.ts'
import { Screen, ScreenPage } from '../../screens/Screen.tsx'
import { digestHeader, finalStatusHeader } from '../../shared/protocol.ts'
import type { HeaderLines } from '../../shared/response.ts'
import { decodeScreenPlace } from '../../shared/screenPlace.ts'
import { type RedirectStatus, SignalError, signalOf } from '../../shared/signals.ts'
import { isFallbackStatus, statuses } from '../../shared/statuses.ts'
import { hostOf, type PageTarget } from '../request/readRequest.ts'
import { type Head, renderFallbackHead } from './head.ts'
import { localeOf, type PageApp, type PageRequest } from './pageRequest.ts'
import { type RouteFile, styled } from './routeModules.ts'
import type { SlotPath } from './segments.ts'
import type { Failure } from './statusGate.ts'

/** What is shown in place of the part of a page that failed. */
export type Fallback = {
  readonly status: number
  /** Of a failure; `null` for a signal. */
  readonly digest: string | null
  readonly headers: HeaderLines
  /** The slot that the screen is shown in; `null` above the root layout. */
  readonly place: SlotPath | null
  /** Segment key of the screen. */
  readonly key: string
  readonly node: ReactNode
  readonly head: Head
}

type Failed = Extract<Decision, { kind: 'fallback' | 'error' }>

/** Finds and loads the fallback of a failure: the nearest one above it. */
export async function loadFallback(
  decision: Failed,
  page: PageRequest,
  app: PageApp,
): Promise<Fallback> {
  const { place, file, model, digest } = await loadScreen(decision, page, app)
  const status = decision.kind === 'error' ? 500 : decision.status
  const { title } = model
  const builtIn = place
    ? createElement(Screen, { model, as: 'div' })
    : createElement(ScreenPage, { model })
  return {
    status,
    headers: digest === null ? [] : [[digestHeader, digest]],
    digest,
    place,
    key: `${place?.segment.key ?? ''}#${status}`,
    node: file ? fileScreen(file, digest) : builtIn,
    // The built-in document above the root layout has a head of its own.
    head: place || file ? await renderFallbackHead({ place, file, title, page, app }) : [],
  }
}

/**
 * Reads where the browser has caught a signal that a client component threw: only there does it
 * run. The browser may claim any: what it gets is a screen, behind the layouts around its place.
 * @returns `null` without one, or for a place that the route does not have
 */
export function failureInBrowser(
  root: MatchedSegment,
  { read, request, scope }: Pick<PageRequest, 'request' | 'scope'> & { read: PageTarget },
): Failure<SlotPath | null> | null {
  if (read.kind !== 'data' || request.method !== 'GET' || scope.phase !== 'render') return null
  const claimed = decodeScreenPlace(request.headers.get(finalStatusHeader) ?? '')
  if (!claimed) return null
  const { status, slot, key } = claimed
  const place = slot === '' ? null : slotAt(root, { slot, key }, null)
  if (place === undefined) return null
  return { thrown: new SignalError({ kind: 'fallback', status }), place }
}

function slotAt(
  segment: MatchedSegment,
  wanted: { readonly slot: string; readonly key: string },
  outer: SlotPath | null,
): SlotPath | undefined {
  // Nothing has checked whether this request may see what is in the background.
  if (segment.kind !== 'folder' || segment.background) return undefined
  for (const [slot, child] of Object.entries(segment.slots)) {
    const place = { segment, slot, outer, barrier: null }
    const found =
      slot === wanted.slot && segment.key === wanted.key ? place : slotAt(child, wanted, place)
    if (found) return found
  }
  return undefined
}

/**
 * Renders the fallback of a part that failed after the status of its page was sent.
 * @throws a failure that is no signal: React has an error boundary for it in the browser
 */
export async function lateFallback(
  { thrown, place }: Failure<SlotPath | null>,
  page: PageRequest,
  app: PageApp,
): Promise<ReactNode> {
  const signal = signalOf(thrown)
  if (!signal) throw thrown
  if (signal.kind === 'redirect') return createElement(LateRedirect, { location: signal.location })
  const { file, model } = await loadScreen({ ...signal, place }, page, app)
  const hidden = createElement('meta', { name: 'robots', content: 'noindex' })
  const screen = file ? fileScreen(file, null) : createElement(Screen, { model, as: 'div' })
  return createElement(Fragment, null, hidden, screen)
}

/** Loads the app's own screen for a failure; without one, the built-in goes into the root layout. */
async function loadScreen(decision: Failed, page: PageRequest, app: PageApp) {
  const isSignal = decision.kind === 'fallback'
  const digest = isSignal ? null : app.report(decision.thrown, { ...page, answerStatus: 500 })
  const host = hostOf(page.request.origin)
  const screen: ScreenRequest = isSignal
    ? screenOfStatus(decision.status)
    : { kind: 'application', side: 'server', host, digest: digest ?? undefined }
  const { place, path } = findScreen(decision.place, roleOf(decision), page)
  const file = path === null ? null : await app.modules.load(path)
  return { place, file, digest, model: screenModel(screen, localeOf(page, app)) }
}

/** The role of the file that replaces a screen; `null`: no file of an app does. */
function roleOf(decision: Failed): Role | null {
  if (decision.kind === 'error') return 'error'
  return isFallbackStatus(decision.status) ? statuses[decision.status].file : null
}

function findScreen(
  failed: SlotPath | null,
  role: Role | null,
  page: PageRequest,
): { place: SlotPath | null; path: string | null } {
  let outermost: SlotPath | null = null
  for (let place = failed; place; place = place.outer) {
    const path = role === null ? undefined : place.segment.node.files[role]
    if (path !== undefined) return { place, path }
    outermost = place
  }
  const globalError = page.match.root.node.files['global-error']
  if (role === 'error' && globalError !== undefined) return { place: null, path: globalError }
  return { place: outermost, path: null }
}

function fileScreen(file: RouteFile, digest: string | null): ReactNode {
  const screen = file.module.default as ComponentType<never>
  if (digest === null) return styled(createElement(screen), file)
  const component = ServerError as ComponentType<{ screen: unknown; digest: string }>
  return styled(createElement(component, { screen, digest }), file)
}

/** How the request for a page ends, before anything of it is sent. */
export type Decision =
  | { readonly kind: 'page' }
  | { readonly kind: 'redirect'; readonly status: RedirectStatus; readonly location: string }
  /** A fallback takes the place of what threw. */
  | { readonly kind: 'fallback'; readonly status: number; readonly place: SlotPath | null }
  | { readonly kind: 'error'; readonly thrown: unknown; readonly place: SlotPath | null }

/** Decides how the request ends. Of several failures, the outermost counts. */
export function decide(failures: readonly Failure<SlotPath | null>[]): Decision {
  const first = outermostFailure(failures)
  if (!first) return { kind: 'page' }
  const signal = signalOf(first.thrown)
  if (!signal) return { kind: 'error', ...first }
  return signal.kind === 'redirect' ? signal : { ...signal, place: first.place }
}

/** The failure that counts: what stands inside of it will not be shown. */
export function outermostFailure(
  failures: readonly Failure<SlotPath | null>[],
): Failure<SlotPath | null> | null {
  return failures.toSorted((a, b) => depthOf(a.place) - depthOf(b.place))[0] ?? null
}

function depthOf(place: SlotPath | null): number {
  let depth = 0
  for (let at = place; at; at = at.outer) depth++
  return depth
}
