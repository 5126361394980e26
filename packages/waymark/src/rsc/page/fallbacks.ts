import { type ComponentType, createElement, Fragment, isValidElement, type ReactNode } from 'react'
import { RenderInBrowser, ServerError, StreamedRedirect } from '../../components/boundaries.tsx'
import type { HeaderLines } from '../../http/response.ts'
import { isFallbackStatus, statuses } from '../../http/statuses.ts'
import { isClientReference } from '../../react/clientReference.ts'
import type { MatchedSegment } from '../../routing/matchedSegments.ts'
import type { Role } from '../../routing/routeFile.ts'
import {
  type ScreenModel,
  type ScreenRequest,
  screenModel,
  screenOfStatus,
} from '../../screens/model.ts'
import { Screen, ScreenDocument, ScreenPage } from '../../screens/Screen.tsx'
import { isThenable } from '../../shared/promises.ts'
import { digestHeader, finalStatusHeader } from '../../wire/protocol.ts'
import {
  decodeScreenPlace,
  type RedirectStatus,
  SignalError,
  signalOf,
} from '../../wire/signals.ts'
import { statusOfFailure } from '../request/clientFailures.ts'
import type { Exchange } from '../request/exchange.ts'
import { hostOf } from '../request/readRequest.ts'
import { type Head, renderFallbackHead } from './head.ts'
import { localeOf, type PageApp, type PageRequest } from './pageRequest.ts'
import type { PageFailure } from './pageStatus.ts'
import { completeElement, type LoadedRouteFile } from './routeModules.ts'
import type { FallbackScreen } from './segments.ts'
import { depthOf, isBesidePage, rootSlotOf, type SlotPath } from './slotPath.ts'

export type Fallback = FallbackScreen & {
  readonly status: number
  /** Digest of the app's error; `null` for a signal and for a failure caused by the client. */
  readonly digest: string | null
  readonly headers: HeaderLines
  readonly head: Head
  /** The app's file for the screen; `null` for a built-in screen. */
  readonly file: LoadedRouteFile | null
  /** True for an error in a parallel slot, which means that the page itself hasn't failed. */
  readonly isBeside: boolean
}

type Failed = Extract<Decision, { kind: 'fallback' | 'error' }>

export async function loadFallback(
  decision: Failed,
  page: PageRequest,
  app: PageApp,
): Promise<Fallback> {
  const screen = await loadScreen(decision, page, app)
  const { place, file, digest, status } = screen
  const { title } = screen.model
  return {
    status,
    headers: digest === null ? [] : [[digestHeader, digest]],
    digest,
    place,
    file,
    key: `${place?.segment.key ?? ''}#${status}`,
    node:
      decision.kind === 'error' && decision.rendersInBrowser
        ? createElement(Fragment, null, screenNode(screen), createElement(RenderInBrowser))
        : screenNode(screen),
    isBeside: decision.kind === 'error' && file !== null && isBesidePage(place),
    head: place || file ? await renderFallbackHead({ place, file, title, page, app }) : [],
  }
}

/**
 * Reads the place where the browser caught a signal from a client component. The browser can claim
 * any place without gaining anything, because the layouts around the place still run as guards.
 * @returns `null` if the request contains no such place, or the route doesn't have it
 */
export function failureInBrowser(
  root: MatchedSegment,
  { destination, request, scope }: Pick<Exchange, 'destination' | 'request' | 'scope'>,
): PageFailure | null {
  if (destination.kind !== 'data' || request.method !== 'GET' || scope.phase !== 'render')
    return null
  const claimed = decodeScreenPlace(request.headers.get(finalStatusHeader) ?? '')
  if (!claimed || !isFallbackStatus(claimed.status)) return null
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
  // No guard has checked if this request may see segments in the background, so ignore them.
  if (segment.kind !== 'folder' || segment.background) return undefined
  for (const [slot, child] of Object.entries(segment.slots)) {
    const place = { segment, slot, outer, guard: null }
    if (slot === wanted.slot && segment.key === wanted.key) return place
    const placeInside = slotAt(child, wanted, place)
    if (placeInside) return placeInside
  }
  return undefined
}

/**
 * Renders the fallback for a failure.
 * @throws the failure if the screen belongs in an error boundary in the browser
 */
export async function renderFallback(
  { thrown, place }: PageFailure,
  page: PageRequest,
  app: PageApp,
): Promise<ReactNode> {
  const signal = signalOf(thrown)
  if (!signal) throw thrown
  if (signal.kind === 'redirect')
    return createElement(StreamedRedirect, { location: signal.location })
  const screen = await loadScreen({ ...signal, place }, page, app)
  const hidden = createElement('meta', { name: 'robots', content: 'noindex' })
  return createElement(Fragment, null, hidden, screenNode(screen))
}

/** Returns the place of the not-found screen in an app without a root layout. */
export function rootlessNotFound(root: MatchedSegment): SlotPath | null {
  if (root.kind !== 'folder' || root.node.files.layout) return null
  if (root.slots.children?.kind !== 'not-found') return null
  return { segment: root, slot: 'children', outer: null, guard: null }
}

type LoadedScreen = {
  readonly place: SlotPath | null
  readonly file: LoadedRouteFile | null
  readonly status: number
  readonly digest: string | null
  readonly model: ScreenModel
}

async function loadScreen(
  decision: Failed,
  page: PageRequest,
  app: PageApp,
): Promise<LoadedScreen> {
  const isSignal = decision.kind === 'fallback'
  const status = isSignal ? decision.status : statusOfFailure(decision.thrown, page)
  const reported = isSignal ? null : app.report(decision.thrown, { ...page, responseStatus: 500 })
  const digest = status === 500 ? reported : null
  const host = hostOf(page.request.origin)
  const screen: ScreenRequest =
    status === 500
      ? { kind: 'application', side: 'server', host, digest: digest ?? undefined }
      : screenOfStatus(status)
  const { place, path } = findScreen(decision.place, roleOf(status), page)
  const file = path === null ? null : await app.modules.load(path)
  return { place, file, status, digest, model: screenModel(screen, localeOf(page, app)) }
}

/**
 * Returns the role of the app's file for a status; `null` if apps can't replace the status's
 * screen.
 */
function roleOf(status: number): Role | null {
  if (status === 500) return 'error'
  return isFallbackStatus(status) ? statuses[status].file : null
}

/**
 * Roles of the files that render a whole document, keyed by the corresponding role inside a layout.
 */
const documentFiles: Partial<Record<Role, Role>> = {
  error: 'global-error',
  'not-found': 'global-not-found',
}

/**
 * Finds the screen and the place where to show it. The last resort is the root layout, unless it
 * failed itself.
 */
function findScreen(
  failed: SlotPath | null,
  role: Role | null,
  page: PageRequest,
): { place: SlotPath | null; path: string | null } {
  const rootSlot = rootSlotOf(failed)
  let path: string | undefined
  let place = failed
  for (; place && role !== null; place = place.outer) {
    path = place.segment.node.files[role]
    if (path !== undefined) break
  }
  if (place && rootSlotOf(place)) return { place, path: path ?? null }
  const documentRole = role === null ? undefined : documentFiles[role]
  const document = documentRole && page.match.root.node.files[documentRole]
  const isDocument = document !== undefined && (rootSlot === null || isLost(role, path))
  if (isDocument) return { place: null, path: document }
  return { place: rootSlot, path: path ?? null }
}

// True for an error without an `error` file. All other screens have a built-in version inside the
// root layout.
function isLost(role: Role | null, path: string | undefined): boolean {
  return role === 'error' && path === undefined
}

function screenNode(screen: LoadedScreen): ReactNode {
  const { place, file, digest, model } = screen
  if (!file) {
    return place
      ? createElement(Screen, { model, as: 'div' })
      : createElement(ScreenPage, { model })
  }
  const component = file.module.default as ComponentType & (() => ReactNode | Promise<ReactNode>)
  const serverError = ServerError as ComponentType<{ screen: unknown; digest: string }>
  const element =
    digest === null
      ? createElement(component)
      : createElement(serverError, { screen: component, digest })
  if (!needsDocument(screen)) return completeElement(element, file)
  const isRunHere = digest === null && !isClientReference(component)
  // Use a component without props, because React writes props into its debug rows in development.
  // biome-ignore lint/correctness/noComponentHookFactories: it runs once, on the server
  const whole = createElement(function ScreenOfApp() {
    return asDocument(isRunHere ? component() : element, screen)
  })
  return completeElement(whole, file)
}

/** True for a file that is shown above the root layout, but doesn't render a whole document. */
function needsDocument({ place, file }: LoadedScreen): boolean {
  return place === null && file !== null && !file.file.startsWith('global-')
}

function asDocument(
  rendered: ReactNode | Promise<ReactNode>,
  screen: LoadedScreen,
): ReactNode | Promise<ReactNode> {
  if (isThenable(rendered))
    return Promise.resolve(rendered).then((node) => asDocument(node, screen))
  if (isValidElement(rendered) && rendered.type === 'html') return rendered
  const { model, file } = screen
  const { metadata, generateMetadata } = file?.module ?? {}
  const hasTitle = generateMetadata !== undefined || (metadata as { title?: unknown })?.title
  const title = hasTitle ? null : model.title
  return createElement(ScreenDocument, { locale: model, title }, rendered)
}

export type Decision =
  | { readonly kind: 'page' }
  | { readonly kind: 'redirect'; readonly status: RedirectStatus; readonly location: string }
  /** A fallback replaces the part that failed. */
  | { readonly kind: 'fallback'; readonly status: number; readonly place: SlotPath | null }
  | ({ readonly kind: 'error' } & PageFailure)

/** Decides how the request ends. If several parts failed, the outermost one decides. */
export function decide(failures: readonly PageFailure[]): Decision {
  const first = outermostFailure(failures)
  if (!first) return { kind: 'page' }
  const signal = signalOf(first.thrown)
  if (!signal) return { kind: 'error', ...first }
  return signal.kind === 'redirect' ? signal : { ...signal, place: first.place }
}

/**
 * Finds the failure that decides how the request ends. In the same place, a signal such as `notFound()` outranks an
 * error.
 */
export function outermostFailure(failures: readonly PageFailure[]): PageFailure | null {
  const rank = ({ thrown, place }: PageFailure) => 2 * depthOf(place) + (signalOf(thrown) ? 0 : 1)
  return failures.toSorted((a, b) => rank(a) - rank(b))[0] ?? null
}
