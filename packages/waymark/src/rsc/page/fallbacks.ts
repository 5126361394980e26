import { type ComponentType, createElement, Fragment, type ReactNode } from 'react'
import { LateRedirect, ServerError } from '../../components/boundaries.tsx'
import type { Role } from '../../routing/routeFile.ts'
import { type ScreenRequest, screenModel, screenOfStatus } from '../../screens/model.ts'
import { Screen, ScreenPage } from '../../screens/Screen.tsx'
import type { ScreenLocale } from '../../screens/screenLocale.ts'
import { digestHeader } from '../../shared/protocol.ts'
import type { HeaderLines } from '../../shared/response.ts'
import { type RedirectStatus, type Signal, signalOf } from '../../shared/signals.ts'
import { isFallbackStatus, statuses } from '../../shared/statuses.ts'
import { hostOf } from '../request/readRequest.ts'
import { type Head, renderFallbackHead } from './head.ts'
import { localeOf, type PageApp, type PageRequest } from './pageRequest.ts'
import type { RouteFile } from './routeModules.ts'
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

/** A failure with the contents of its screen. */
type FailureScreen = {
  /** `null`: no file of an app replaces it. */
  readonly role: Role | null
  readonly screen: ScreenRequest
  readonly digest: string | null
  readonly locale: ScreenLocale
}

/** Finds and loads the fallback of a failure: the nearest one above it. */
export async function loadFallback(
  decision: Failed,
  page: PageRequest,
  app: PageApp,
): Promise<Fallback> {
  const failed = describe(decision, page, app)
  const { place, path } = findScreen(decision.place, failed.role, page)
  const file = path === null ? null : await app.modules.load(path)
  const status = decision.kind === 'error' ? 500 : decision.status
  const { title } = screenModel(failed.screen, failed.locale)
  return {
    status,
    headers: failed.digest === null ? [] : [[digestHeader, failed.digest]],
    digest: failed.digest,
    place,
    key: `${place?.segment.key ?? ''}#${status}`,
    node: file ? fileScreen(file, failed) : builtInScreen(failed, place),
    // The built-in document above the root layout has a head of its own.
    head: place || file ? await renderFallbackHead({ place, file, title, page, app }) : [],
  }
}

/**
 * Renders the fallback of a part that failed after the status of its page was sent.
 * @throws a failure that is no signal: React has an error boundary for it in the browser
 */
export async function lateFallback(
  { thrown, place }: { thrown: unknown; place: SlotPath | null },
  page: PageRequest,
  app: PageApp,
): Promise<ReactNode> {
  const signal = signalOf(thrown)
  if (!signal) throw thrown
  if (signal.kind === 'redirect') return createElement(LateRedirect, { location: signal.location })
  const failed = describe({ ...signal, place }, page, app)
  const { path } = findScreen(place, failed.role, page)
  const file = path === null ? null : await app.modules.load(path)
  const screen = file
    ? fileScreen(file, failed)
    : createElement(Screen, { model: screenModel(failed.screen, failed.locale), as: 'div' })
  return createElement(
    Fragment,
    null,
    createElement('meta', { name: 'robots', content: 'noindex' }),
    screen,
  )
}

function describe(decision: Failed, page: PageRequest, app: PageApp): FailureScreen {
  const locale = localeOf(page, app)
  if (decision.kind === 'fallback') {
    const { status } = decision
    const role = isFallbackStatus(status) ? statuses[status].file : null
    return { role, screen: screenOfStatus(status), digest: null, locale }
  }
  const digest = app.report(decision.thrown, { ...page, answerStatus: 500 })
  const host = hostOf(page.request.origin)
  const screen = { kind: 'application', side: 'server', host, digest } as const
  return { role: 'error', screen, digest, locale }
}

/** The app's own screen for a role; without one, the built-in goes into the root layout. */
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
  const rootFiles = page.match.root.node.files
  if (role === 'error' && rootFiles['global-error'] !== undefined) {
    return { place: null, path: rootFiles['global-error'] }
  }
  return { place: outermost, path: null }
}

function fileScreen({ module, styles }: RouteFile, { digest }: FailureScreen): ReactNode {
  const component = module.default as ComponentType<never>
  const screen =
    digest === null
      ? createElement(component)
      : createElement(ServerError as ComponentType<{ screen: unknown; digest: string }>, {
          screen: component,
          digest,
        })
  return styles ? createElement(Fragment, null, styles, screen) : screen
}

function builtInScreen({ screen, locale }: FailureScreen, place: SlotPath | null): ReactNode {
  const model = screenModel(screen, locale)
  return place ? createElement(Screen, { model, as: 'div' }) : createElement(ScreenPage, { model })
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
  return signal ? signalled(signal, first.place) : { kind: 'error', ...first }
}

/** The failure that counts: what stands inside of it will not be shown. */
export function outermostFailure(
  failures: readonly Failure<SlotPath | null>[],
): Failure<SlotPath | null> | null {
  return failures.toSorted((a, b) => depthOf(a.place) - depthOf(b.place))[0] ?? null
}

function signalled(signal: Signal, place: SlotPath | null): Decision {
  switch (signal.kind) {
    case 'redirect':
      return signal
    case 'fallback':
      return { kind: 'fallback', status: signal.status, place }
  }
}

function depthOf(place: SlotPath | null): number {
  let depth = 0
  for (let at = place; at; at = at.outer) depth++
  return depth
}
