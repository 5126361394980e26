import { timeoutMs } from 'virtual:waymark/limits'
import { createFromReadableStream } from '@vitejs/plugin-rsc/react/browser'
import { StrictMode, startTransition } from 'react'
import { createRoot, type HydrationOptions, hydrateRoot } from 'react-dom/client'
import { App, type PagesStore } from '../components/App.tsx'
import { createNavigationStore, type RouterEvents } from '../components/navigationStore.ts'
import {
  type Blocker,
  createRouterEvents,
  DigestContext,
  type Router,
  type RouterInternals,
} from '../components/routerContext.ts'
import { initialInstances } from '../components/Slot.tsx'
import { withBasePath } from '../shared/basePath.ts'
import { hideThemeMarks } from '../theme/devTheme.ts'
import { themeStoreOf } from '../theme/store.ts'
import type { Payload } from '../wire/payload.ts'
import { signalOf } from '../wire/signals.ts'
import { listenForCalls } from './actions/calls.ts'
import { createClientModules, isNotArrived, type MissingModule } from './assets/modules.ts'
import { reloadOnce } from './assets/reload.ts'
import { loadStylesInTime } from './assets/stylesInTime.ts'
import { type DocumentPayload, documentPayload } from './document/documentPayload.ts'
import { entryElement, payloadBlock } from './document/documentStream.ts'
import { throughPackages } from './document/payloadStream.ts'
import { draftValue, type Field, type PreHydrationInput } from './navigation/formFields.ts'
import type { Break } from './navigation/navigation.ts'
import type { Page } from './navigation/page.ts'
import { createRootStore, trackAddress } from './react/rootStore.ts'
import type { HydratedDocument, Loader, RouterCore } from './runtime.ts'

// From here on: a plain page is often translated before it needs React.
const replacedTexts = watchReplacedText(document)

/** Lets React take over the document. The router comes later. */
export async function startReact(loader: Loader): Promise<HydratedDocument> {
  const { documentStream, history, errors, routerChunk } = loader
  await replacedTexts()
  if (!import.meta.env.DEV) loadStylesInTime(window)
  const modules = createClientModules((missing) => onMissing(loader, missing))
  const arriving = await firstPayload(documentPayload(documentStream.over), loader)
  const { payload, lost } = arriving
  await replacedTexts()
  // A router that can't be loaded now: nothing but the network could fetch what is missing.
  const withRouter = (act: (router: RouterCore) => void) => void loader.start().then(act, () => {})
  void lost.then((how) => how && withRouter(({ repair }) => repair(how)))
  const build = payload.build ?? null
  errors.setBuild(build)
  const rootStore = createRootStore(firstPage(payload, history.settledKey()))
  const preHydrationInputs: PreHydrationInput[] = []
  // Of what is typed before it has hydrated, React puts back some, and calls no handler.
  const onInput = (field: Field) => {
    preHydrationInputs.push([field, draftValue(field), { ...field }])
    // It restores what was typed.
    void loader.start()
  }
  loader.fields.changed().forEach(onInput)
  addEventListener('input', ({ target }) => onInput(target as Field), true)
  const unmark = import.meta.env.DEV
    ? hideThemeMarks(document.documentElement, themeStoreOf(window).config)
    : () => {}
  const adoptAddress = trackAddress(rootStore, history)
  void rootStore.hydrated.then(() => {
    unmark()
    const router = loader.router()
    if (router) router.onHydrated()
    else adoptAddress()
  })
  const events = createRouterEvents()
  const store = createNavigationStore()
  const blockers = new Set<Blocker>()
  const calls = listenForCalls(loader.start, () => rootStore.latest.current as Page)
  hydrate(loader, rootStore, arriving, {
    router: createPublicRouter(loader, events),
    navigation: store,
    blockers,
    fetchScreen: (place) => withRouter((router) => router.refresh(place)),
    screens: routerChunk,
  })
  return { rootStore, modules, build, events, store, blockers, calls, preHydrationInputs }
}

async function onMissing(
  { start, history, fields }: Loader,
  missing: MissingModule,
): Promise<void> {
  const router = await start().catch(() => null)
  // Firefox and Safari cancel the request for code once they open a document.
  if (history.isLeaving()) setTimeout(() => missing.load().catch(() => {}), timeoutMs)
  else if (router) router.onMissing(missing)
  else if (fields.changed().length === 0) reloadOnce()
}

type Arriving = {
  readonly payload: Payload
  readonly lost: Promise<Break | null>
  /** The document ended before its payload. */
  readonly isCut: boolean
}

/** The document's own payload, or where it was cut before it began, that of its URL. */
async function firstPayload(flight: DocumentPayload, loader: Loader): Promise<Arriving> {
  // React's own promise has a `then` that returns none.
  const documentPayload = Promise.resolve(
    createFromReadableStream<Payload>(throughPackages(flight.stream)),
  ).catch(() => null)
  const lost = watchRest(flight)
  const payload = await Promise.race([
    documentPayload,
    lost.then((how) => (how ? null : documentPayload)),
  ])
  return payload ? { payload, lost, isCut: false } : fetchAgain(loader)
}

async function fetchAgain({ routerChunk, fields, start, history }: Loader): Promise<Arriving> {
  const code = await routerChunk.load().catch((error: unknown) => {
    if (!history.isLeaving() && fields.changed().length === 0) reloadOnce()
    throw error
  })
  const loaded = await code.loadCurrentPage(window, fields)
  void start()
  return { payload: loaded.payload, lost: watchRest(loaded), isCut: !payloadBlock(document) }
}

function watchRest({ whole, onBytes }: Omit<DocumentPayload, 'stream'>): Promise<Break | null> {
  return new Promise((resolve) => {
    let silence: ReturnType<typeof setTimeout> | undefined
    const listen = () => {
      clearTimeout(silence)
      silence = setTimeout(resolve, timeoutMs, 'silent')
    }
    listen()
    onBytes(listen)
    whole.then(
      () => resolve(null),
      () => resolve('cut'),
    )
  })
}

function hydrate(
  loader: Loader,
  store: PagesStore,
  { payload, isCut }: Arriving,
  internals: RouterInternals,
): void {
  const app = (
    <DigestContext value={(thrown) => loader.errors.report(thrown, { source: 'boundary' })}>
      <StrictMode>
        <App store={store} internals={internals} />
      </StrictMode>
    </DigestContext>
  )
  const errors = hydrationErrors(loader)
  const options = {
    ...errors,
    identifierPrefix: entryElement()?.id ?? '',
    formState: payload.formState ?? null,
  }
  // In slices, so that a large page stays responsive: anything but a transition hydrates in one.
  startTransition(() => {
    // React 19.3 never stops hydrating an <Activity> whose marks are missing in the HTML.
    if (isCut || !hasMarks()) {
      createRoot(document, options).render(app)
      return
    }
    let isReplaced = false
    const root = hydrateRoot(document, app, {
      ...options,
      onRecoverableError(error, info) {
        errors.onRecoverableError(error, info)
        requestAnimationFrame(() => {
          if (isReplaced || !isBlank(document.body)) return
          isReplaced = true
          root.unmount()
          createRoot(document, options).render(app)
        })
      },
    })
  })
}

/**
 * True for a body that shows nothing. React 19.3 sometimes removes what it has just rendered, after a
 * mismatch in a document whose HTML ends its own `<body>`.
 */
function isBlank(body: HTMLElement): boolean {
  return body.querySelector(':scope > :not(script, style, link, template, noscript)') === null
}

/** Proxies that shorten HTML take its comments away, and with them the marks of each <Activity>. */
function hasMarks(): boolean {
  return document.body.innerHTML.includes('<!--&')
}

function firstPage(payload: Payload, key: string): Page {
  const from = payload.route.pathname
  const instances = initialInstances(payload)
  return { ...payload, key, version: 0, fetchedAtMs: Date.now(), from, instances }
}

type ErrorHandlers = Required<
  Pick<HydrationOptions, 'onCaughtError' | 'onUncaughtError' | 'onRecoverableError'>
>

function hydrationErrors({ errors: { report }, history }: Loader): ErrorHandlers {
  const reportFrom =
    (source: 'boundary' | 'recoverable') =>
    (error: unknown, { componentStack }: { componentStack?: string | undefined }): void => {
      // A document that is left ends early, and with it what React still waits for.
      if (signalOf(error) || (source === 'recoverable' && history.isLeaving())) return
      // An overlay would cover a page that works without it.
      if (!import.meta.env.DEV || !isNotArrived(error)) {
        void report(error, { source, componentStack })
      }
      if (import.meta.env.DEV && componentStack) console.error(error, componentStack)
      else console.error(error)
    }
  return {
    onCaughtError: reportFrom('boundary'),
    onUncaughtError(error, { componentStack }) {
      void report(error, { source: 'uncaught', componentStack })
      reportError(error)
    },
    onRecoverableError: reportFrom('recoverable'),
  }
}

function createPublicRouter({ navigate, start, prefetch }: Loader, { on }: RouterEvents): Router {
  const push: Router['push'] = async (href, options) => {
    const url = new URL(withBasePath(href), location.href)
    const kind = options?.replace ? 'replace' : 'push'
    return navigate({ ...options, scroll: options?.scroll ?? true, kind, url, href })
  }
  return {
    push,
    replace: (href, options) => push(href, { ...options, replace: true }),
    refresh: () =>
      start().then(
        (router) => {
          // The app knows of a change that its actions have not told of.
          router.invalidate('data')
          return router.refresh()
        },
        () => 'failed',
      ),
    back: () => history.back(),
    forward: () => history.forward(),
    prefetch: (href) => prefetch.intend(new URL(withBasePath(href), location.href)),
    on,
  }
}

/**
 * Translators put an element in the place of a text. What React writes into its own text is seen by
 * nobody, to remove it throws, and to hydrate the element fails. The code that mends this is loaded
 * once it is needed.
 * @returns waits until what was replaced is known, for as long as a route load may take
 * @see https://github.com/facebook/react/issues/11538
 */
function watchReplacedText(document: Document): () => Promise<unknown> | undefined {
  let code: Promise<typeof import('../react/client/restoreText.ts') | null> | undefined
  let restoring: Promise<unknown> | undefined
  const readReplaced = (records: MutationRecord[]) => {
    // Offline: the page stays as it is without this code.
    code ??= import('../react/client/restoreText.ts').catch(() => null)
    restoring ??= Promise.race([code, new Promise((end) => setTimeout(end, timeoutMs))])
    void code.then((loaded) => loaded?.readReplacements(records, observer))
  }
  const observer = new MutationObserver((records) => {
    if (code || records.some(takesTextAway)) readReplaced(records)
  })
  observer.observe(document, { childList: true, subtree: true })
  if (document.querySelector('font > font')) readReplaced([])
  return () => restoring
}

/** React removes a text in a change of its own; only others replace it, or leave a `<font>` beside it. */
function takesTextAway({ removedNodes, addedNodes, previousSibling }: MutationRecord): boolean {
  return removedNodes[0]?.nodeType === 3 && (addedNodes[0] ?? previousSibling)?.nodeName === 'FONT'
}
