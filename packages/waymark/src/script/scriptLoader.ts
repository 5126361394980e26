// The loader is a separate file and imports only types, so that pages without React can load it
// alone.
import type { ScriptNews, ScriptOrder, ScriptStates } from './scriptOrder.ts'

/** Milliseconds after which a script that has neither loaded nor failed is reported. */
const silenceMs = 15_000

// Only trust direct children of head and body. Sanitized HTML is never there, and sanitizers may
// let through templates, attributes and ids written by users. React writes into the body for parts
// of a page that are streamed later.
const ordered = ['head', 'body'].map((name) => `:root>${name}>meta[name=waymark-script]`).join()

function start(view: Window & typeof globalThis): void {
  const { document } = view
  // Names of scripts that run once per tab and have been loaded.
  const loaded = new Set<string>()
  const waiting = new Map<Element, ScriptOrder>()
  // Scripts that belong to a place in the page, keyed by the JSON that the template at this place
  // repeats.
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
 * True if the app itself wrote this meta element. Unsanitized HTML can close the elements around
 * it, but the parser never moves it into the head. In the body, injected HTML lacks the nonce. If
 * it captures a following tag's nonce with an unclosed quote, the element has an extra attribute.
 */
function isOfApp(mark: HTMLElement): boolean {
  const isInHead = mark.parentElement?.localName === 'head'
  return isInHead || (mark.nonce === nonceOf(mark.ownerDocument) && mark.attributes.length < 4)
}

/**
 * Returns the nonce of the entry script, which comes before everything else.
 *
 * @see client/document/documentStream.ts
 */
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
    // Safari doesn't support `requestIdleCallback`.
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
    `hasn't loaded within ${silenceMs / 1000} s`,
  )
  function report(what: string): void {
    const error = new Error(`The script ${src} ${what}. The page doesn't wait for it.`)
    // With a content blocker, an error would open the overlay on each page load, so only warn in
    // development.
    if (import.meta.hot) console.warn(error.message)
    else view.reportError(error)
  }
  script.onload = () => {
    view.clearTimeout(silenceTimer)
    publishState(view, order, 'loaded')
  }
  script.onerror = () => {
    view.clearTimeout(silenceTimer)
    report("couldn't be loaded")
    publishState(view, order, 'failed')
  }
  document.head.append(script)
}

function publishState(view: Window, order: ScriptOrder, state: ScriptNews['state']): void {
  const news: ScriptNews = { name: nameOf(order), state }
  const target = view as Window & { waymarkScripts?: unknown }
  const { waymarkScripts } = target
  // An element with the id `waymarkScripts` also becomes a property of window, so check the type.
  const states: ScriptStates = waymarkScripts instanceof Map ? waymarkScripts : new Map()
  states.set(news.name, state)
  target.waymarkScripts = states
  view.dispatchEvent(new CustomEvent('waymark:script', { detail: news }))
}

// Reads the consent that `consent()` from `waymark/script` has stored.
function storedConsent(view: Window, name: string): boolean {
  try {
    const stored = JSON.parse(view.localStorage.getItem('consent') ?? '{}') as unknown
    return (stored as Record<string, unknown> | null)?.[name] === true
  } catch {
    return false
  }
}

start(window)
