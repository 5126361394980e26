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
import { wholeBuildId } from '../wire/variantBuildId.ts'
import { listenForCalls } from './actions/calls.ts'
import { createClientModules, isNotArrived, type MissingModule } from './assets/modules.ts'
import { reloadOnce } from './assets/reload.ts'
import { loadStylesInTime } from './assets/stylesInTime.ts'
import { type DocumentPayload, documentPayload } from './document/documentPayload.ts'
import { entryElement, payloadBlock } from './document/documentStream.ts'
import { throughPackages } from './document/payloadStream.ts'
import { watchHeadTags } from './document/watchHeadTags.ts'
import { draftValue, type Field, type PreHydrationInput } from './navigation/formFields.ts'
import type { Break } from './navigation/navigation.ts'
import type { Page } from './navigation/page.ts'
import { createRootStore, trackAddress } from './react/rootStore.ts'
import type { HydratedDocument, Loader, RouterCore } from './runtime.ts'

// Start watching now, because users often have a page translated before React hydrates it.
const replacedTexts = watchReplacedText(document)

/** Hydrates the document with React. The router is loaded later. */
export async function startReact(loader: Loader): Promise<HydratedDocument> {
  const { documentStream, history, errors, routerChunk } = loader
  await replacedTexts()
  if (!import.meta.env.DEV) loadStylesInTime(window)
  const modules = createClientModules((missing) => onMissing(loader, missing))
  const arriving = await firstPayload(documentPayload(documentStream.over), loader)
  const { payload, lost } = arriving
  await replacedTexts()
  // Ignore the error if the router can't be loaded: without a connection, the missing data couldn't
  // be fetched either.
  const withRouter = (act: (router: RouterCore) => void) => void loader.start().then(act, () => {})
  void lost.then((how) => how && withRouter(({ repair }) => repair(how)))
  const build = payload.build ?? null
  errors.setBuild(wholeBuildId(build))
  const rootStore = createRootStore(firstPage(payload, history.settledKey()))
  const preHydrationInputs: PreHydrationInput[] = []
  // Record input from before hydration, because React doesn't call handlers for it and resets some
  // fields.
  const onInput = (field: Field) => {
    preHydrationInputs.push([field, draftValue(field), { ...field }])
    // Start the router, because it restores the typed text.
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
  // If the user is leaving, try again later. Firefox and Safari cancel requests for code when they
  // open a different document.
  if (history.isLeaving()) setTimeout(() => missing.load().catch(() => {}), timeoutMs)
  else if (router) router.onMissing(missing)
  else if (fields.changed().length === 0) reloadOnce()
}

type Arriving = {
  readonly payload: Payload
  readonly lost: Promise<Break | null>
  /** True if the document was cut off before its payload. */
  readonly isCut: boolean
}

/**
 * Returns the document's payload. If the document was cut off before its payload, fetches the page
 * data at the browser's address instead.
 */
async function firstPayload(source: DocumentPayload, loader: Loader): Promise<Arriving> {
  // React's promise has a `then` that returns nothing, so convert it to a real promise.
  const documentPayload = Promise.resolve(
    createFromReadableStream<Payload>(throughPackages(source.stream)),
  ).catch(() => null)
  const lost = watchRest(source)
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
  watchHeadTags(document)
  // In a transition, React hydrates in slices, so a large page stays responsive.
  startTransition(() => {
    // If a proxy has removed comments, render from scratch: without the comments around an
    // <Activity>, React 19.3 hydrates forever.
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
 * True if the body is empty. After a hydration mismatch in a document whose HTML contains `</body>`
 * too early, React 19.3 sometimes removes the elements that it has just rendered.
 */
function isBlank(body: HTMLElement): boolean {
  return body.querySelector(':scope > :not(script, style, link, template, noscript)') === null
}

/** False if a proxy has removed all comments from the HTML, including those around each <Activity>. */
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

const lateCode =
  'The code of a component did not arrive in time, perhaps because the dev server is busy. The component shows its HTML until the code arrives.'

function hydrationErrors({ errors: { report }, history }: Loader): ErrorHandlers {
  const reportFrom =
    (source: 'boundary' | 'recoverable') =>
    (error: unknown, { componentStack }: { componentStack?: string | undefined }): void => {
      // Leaving a document ends its stream, so don't report parts that are missing for this reason.
      if (signalOf(error) || (source === 'recoverable' && history.isLeaving())) return
      if (import.meta.env.DEV && isNotArrived(error)) {
        // Don't report the error, because the overlay would cover a page that works without the code.
        // Print the cause, because React's own message only says that hydration failed.
        const { cause = error } = error as Error
        console.warn(lateCode, cause, componentStack)
        return
      }
      void report(error, { source, componentStack })
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
          // The app calls `refresh()` if it knows of a change that no action has reported, so mark
          // all pages as outdated.
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
 * Watches for translators, which replace text nodes with elements. Without help, React would then
 * update a text that isn't visible, throw when it removes the text, or fail to hydrate the element.
 * The first replacement loads the code that prevents this.
 * @returns a function that waits until the replaced texts are known, at most `timeoutMs`
 * @see https://github.com/facebook/react/issues/11538
 */
function watchReplacedText(document: Document): () => Promise<unknown> | undefined {
  let code: Promise<typeof import('../react/client/restoreText.ts') | null> | undefined
  let restoring: Promise<unknown> | undefined
  const readReplaced = (records: MutationRecord[]) => {
    // Ignore the error if this code can't be loaded, because the page works without it.
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

/**
 * True if this DOM change shows that a translator has replaced a text. React never replaces a text in
 * one step or puts a `<font>` next to a text.
 */
function takesTextAway({ removedNodes, addedNodes, previousSibling }: MutationRecord): boolean {
  return removedNodes[0]?.nodeType === 3 && (addedNodes[0] ?? previousSibling)?.nodeName === 'FONT'
}
