import { documentEndMark, interactiveAttribute } from '../../wire/documentMarks.ts'

declare global {
  interface Window {
    __waymark?: FlightChunk[]
  }
}

/**
 * A part of the payload: text; bytes as base64; `null`, the end; `true`, the page needs React now.
 */
export type FlightChunk = string | [base64: string] | null | true

export type DocumentStream = {
  /** Resolves once React could take it over: all that it has rendered for the start is there. */
  readonly shell: Promise<void>
  /** Resolves once the page is known to need React: perhaps never. */
  readonly interactive: Promise<void>
  /** Resolves once all of it is there, or all that will come of one that was cut. */
  readonly over: Promise<void>
}

/** Follows a document that may still arrive; after `silenceMs` of silence it may have been cut. */
export function readDocumentStream(document: Document, silenceMs: number): DocumentStream {
  const [shell, onShell] = deferred()
  const [interactive, onInteractive] = deferred()
  const [over, onOver] = deferred()
  let silence: ReturnType<typeof setTimeout> | undefined
  let hasEnded = false
  const unwatch = whenParserStops(document, silenceMs, () => {
    // From here on it is a document that was cut.
    window.stop()
    if (!document.body) document.documentElement.append(document.createElement('body'))
    showUnstyled(document)
    // Safari fires no event for it.
    onParsed()
  })

  function onChunk(chunk: FlightChunk): void {
    unwatch()
    clearTimeout(silence)
    if (chunk === true) onInteractive()
    if (chunk === null) hasEnded = true
    else silence = setTimeout(onInteractive, silenceMs)
    onShell()
  }
  function onParsed(): void {
    unwatch()
    clearTimeout(silence)
    removeRepetition(document)
    const block = payloadBlock(document)
    if (block ? block.hasAttribute(interactiveAttribute) : !hasEnded) onInteractive()
    onShell()
    onOver()
  }

  window.__waymark ??= []
  const chunks = window.__waymark
  const push = chunks.push.bind(chunks)
  chunks.forEach(onChunk)
  chunks.push = (...more) => {
    more.forEach(onChunk)
    return push(...more)
  }
  // Earlier than `DOMContentLoaded`, which waits for scripts of the app.
  if (document.readyState !== 'loading') onParsed()
  else document.addEventListener('readystatechange', onParsed, { once: true })
  setTimeout(showUnstyled, silenceMs, document)
  return { shell, interactive, over }
}

/**
 * Removes the second copy of a document that a proxy has sent twice. The parser puts it into the body
 * of the first, where it begins with the tag of the entry.
 */
function removeRepetition(document: Document): void {
  const source = entryElement()?.getAttribute('src')
  const again = document.body?.querySelector(`script[src="${source}"]`)
  while (again?.nextSibling) again.nextSibling.remove()
}

function deferred(): [promise: Promise<void>, resolve: () => void] {
  let settle = () => {}
  const promise = new Promise<void>((resolve) => {
    settle = resolve
  })
  return [promise, settle]
}

/** The last block that has the nonce: content may have blocks of its own. */
export function payloadBlock(document: Document): HTMLElement | undefined {
  const blocks = document.querySelectorAll<HTMLElement>('script[type="text/x-component"]')
  const block = [...blocks].findLast(({ nonce }) => nonce === documentNonce())
  return block?.textContent.endsWith(documentEndMark) ? block : undefined
}

/** The nonce, or the key of a document with hashes: content of users can't know either. */
export function documentNonce(): string {
  return entryElement()?.nonce ?? ''
}

/** The tag of the entry: nothing of the app stands before it. @see ssr/clientFiles.ts */
export function entryElement(): HTMLElement | null {
  // In development, the panel's stands there, too.
  const panel = import.meta.env.DEV ? ':not([src*="/devtools/"])' : ''
  return document.querySelector<HTMLElement>(`script[src]${panel}`)
}

/** How often the parser's position is compared within the silence. */
const checks = 4

export function whenParserStops(
  document: Document,
  silenceMs: number,
  act: () => void,
): () => void {
  let before = ''
  let still = 0
  const timer = setInterval(() => {
    const position = positionOf(document)
    still = position === before ? still + 1 : 0
    before = position
    if (still === checks) act()
  }, silenceMs / checks)
  return () => clearInterval(timer)
}

function positionOf(document: Document): string {
  let last: Node = document
  while (last.lastChild) last = last.lastChild
  return `${document.getElementsByTagName('*').length} ${last.nodeValue?.length}`
}

/** Shows a document whose stylesheets do not come; each applies once it is there. */
export function showUnstyled(document: Document): void {
  for (const link of document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]')) {
    if (link.sheet) continue
    const { media } = link
    const waiting = link.cloneNode() as HTMLLinkElement
    // A stylesheet that does not apply delays neither the first paint nor later scripts.
    waiting.media = 'not all'
    waiting.onload = () => {
      waiting.media = media
    }
    // A request that runs is shared by both.
    link.after(waiting)
    link.remove()
  }
  // Firefox paints no sooner than a size is read.
  void document.body?.offsetHeight
}
