// A file of its own, which any page can load without React: it imports types only.
import type { ScriptNews, ScriptOrder, ScriptStates } from './scriptOrder.ts'

/** After it, a script that has neither come nor failed is reported. */
const silenceMs = 15_000

// Sanitizers leave templates, attributes and ids in HTML that users have written. Such HTML never
// stands at these places. React writes into the body for parts of the page that come later.
const ordered = ['head', 'body'].map((name) => `:root>${name}>meta[name=waymark-script]`).join()

function start(view: Window & typeof globalThis): void {
  const { document } = view
  // Of those that run once in the life of the tab.
  const loaded = new Set<string>()
  const waiting = new Map<Element, ScriptOrder>()
  // By the text that their places repeat.
  const placed = new Map<string, ScriptOrder>()
  const consents: Record<string, boolean> = {}

  const hasConsent = ({ consent }: ScriptOrder) =>
    consent === null || (consents[consent] ?? storedConsent(view, consent))

  function load(mark: Element, order: ScriptOrder): void {
    if (!mark.isConnected) return
    if (!hasConsent(order)) {
      waiting.set(mark, order)
    } else if (order.each || !loaded.has(nameOf(order))) {
      loaded.add(nameOf(order))
      insert(view, order)
    }
  }

  function find(): void {
    for (const mark of document.querySelectorAll<HTMLMetaElement>(ordered)) {
      if (!isOfApp(mark) || !markHandled(mark)) continue
      const order = JSON.parse(mark.content) as ScriptOrder
      if (order.each || order.when === 'visible') placed.set(mark.content, order)
      else whenDue[order.when]({ view, mark }, () => load(mark, order))
    }
    for (const mark of document.querySelectorAll('template[data-waymark-script]')) {
      const order = placed.get(mark.getAttribute('data-waymark-script') ?? '')
      if (order && markHandled(mark)) whenDue[order.when]({ view, mark }, () => load(mark, order))
    }
  }

  view.addEventListener('waymark:consent', (event) => {
    Object.assign(consents, (event as CustomEvent<Record<string, boolean>>).detail)
    for (const [mark, order] of [...waiting]) {
      if (!hasConsent(order)) continue
      waiting.delete(mark)
      load(mark, order)
    }
  })
  new MutationObserver(find).observe(document, { childList: true, subtree: true })
  find()
}

/**
 * HTML that nobody cleaned may close all that is around it, but a parser puts nothing of it into
 * the head. In the body it lacks the nonce, or has one attribute more, with whose open quote it
 * takes the nonce of the tag that follows.
 */
function isOfApp(mark: HTMLElement): boolean {
  const isInHead = mark.parentElement?.localName === 'head'
  return isInHead || (mark.nonce === nonceOf(mark.ownerDocument) && mark.attributes.length < 4)
}

/** Of the entry's tag, which nothing stands before. @see client/document/documentStream.ts */
function nonceOf(document: Document): string {
  return document.querySelector<HTMLElement>('script[src]')?.nonce ?? ''
}

function markHandled(mark: Element & { isHandled?: boolean }): boolean {
  const isNew = !mark.isHandled
  mark.isHandled = true
  return isNew
}

function nameOf({ src, text, attributes }: ScriptOrder): string {
  return attributes.id ?? src ?? text ?? ''
}

type Place = { readonly view: Window & typeof globalThis; readonly mark: Element }

const whenDue: Record<ScriptOrder['when'], (place: Place, run: () => void) => void> = {
  head: (_, run) => run(),
  start({ view: { document } }, run) {
    if (document.readyState !== 'loading') run()
    else document.addEventListener('DOMContentLoaded', run, { once: true })
  },
  idle({ view }, run) {
    // Safari has no idle time to tell of.
    if (!view.requestIdleCallback) view.setTimeout(run, 200)
    else view.requestIdleCallback(run, { timeout: 5000 })
  },
  visible: whenVisible,
  interaction({ view }, run) {
    const ended = new AbortController()
    const listener = () => {
      ended.abort()
      run()
    }
    for (const type of ['pointerdown', 'keydown', 'touchstart']) {
      view.addEventListener(type, listener, { capture: true, passive: true, signal: ended.signal })
    }
  },
}

function whenVisible({ mark }: Place, run: () => void): void {
  const place = mark.nextElementSibling ?? mark.parentElement ?? document.documentElement
  const observer = new IntersectionObserver(
    (entries) => {
      if (!entries.some((entry) => entry.isIntersecting)) return
      observer.disconnect()
      run()
    },
    { rootMargin: '200px' },
  )
  observer.observe(place)
}

function insert(view: Window & typeof globalThis, order: ScriptOrder): void {
  const { document } = view
  const { src, text, integrity, module, attributes } = order
  const script = document.createElement('script')
  for (const [name, value] of Object.entries(attributes)) script.setAttribute(name, value)
  if (module) script.type = 'module'
  if (integrity !== null) {
    script.integrity = integrity
    script.crossOrigin ??= 'anonymous'
  }
  const nonce = nonceOf(document)
  if (nonce) script.nonce = nonce
  if (src === null) {
    script.text = text ?? ''
    document.head.append(script)
    publishState(view, order, 'loaded')
    return
  }
  script.async = true
  script.src = src
  const silenceTimer = view.setTimeout(
    report,
    silenceMs,
    `has not arrived within ${silenceMs / 1000} s`,
  )
  function report(what: string): void {
    const error = new Error(`The script ${src} ${what}. The page does not wait for it.`)
    // In development, a blocker of the browser would open the overlay at each load.
    if (import.meta.hot) console.warn(error.message)
    else view.reportError(error)
  }
  script.onload = () => {
    view.clearTimeout(silenceTimer)
    publishState(view, order, 'loaded')
  }
  script.onerror = () => {
    view.clearTimeout(silenceTimer)
    report('could not be loaded')
    publishState(view, order, 'failed')
  }
  document.head.append(script)
}

function publishState(view: Window, order: ScriptOrder, state: ScriptNews['state']): void {
  const news: ScriptNews = { name: nameOf(order), state }
  const target = view as Window & { waymarkScripts?: unknown }
  const { waymarkScripts } = target
  // An element with this id is a property of the window, too.
  const states: ScriptStates = waymarkScripts instanceof Map ? waymarkScripts : new Map()
  states.set(news.name, state)
  target.waymarkScripts = states
  view.dispatchEvent(new CustomEvent('waymark:script', { detail: news }))
}

// As `consent()` of `waymark/script` writes it.
function storedConsent(view: Window, name: string): boolean {
  try {
    const stored = JSON.parse(view.localStorage.getItem('consent') ?? '{}') as unknown
    return (stored as Record<string, unknown> | null)?.[name] === true
  } catch {
    return false
  }
}

start(window)
