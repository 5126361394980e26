import { documentEndMark, interactiveAttribute } from '../../wire/documentMarks.ts'

declare global {
  interface Window {
    __waymark?: FlightChunk[]
  }
}

/**
 * A part of the payload, as a string or as base64. `null` marks the payload's end. `true` means
 * that the page needs React now.
 */
export type FlightChunk = string | [base64: string] | null | true

export type DocumentStream = {
  /** Resolves once the shell has arrived, after which React can hydrate the document. */
  readonly shell: Promise<void>
  /** Resolves once it is clear that the page needs React, which may never happen. */
  readonly interactive: Promise<void>
  /** Resolves once the document has arrived completely or was cut off. */
  readonly over: Promise<void>
}

/**
 * Follows a document while it arrives.
 * @param silenceMs milliseconds without data after which the document counts as cut off
 */
export function readDocumentStream(document: Document, silenceMs: number): DocumentStream {
  const [shell, onShell] = deferred()
  const [interactive, onInteractive] = deferred()
  const [over, onOver] = deferred()
  let silence: ReturnType<typeof setTimeout> | undefined
  let hasEnded = false
  const unwatch = whenParserStops(document, silenceMs, () => {
    window.stop()
    if (!document.body) document.documentElement.append(document.createElement('body'))
    showUnstyled(document)
    // Call `onParsed` here, because Safari fires no event after `window.stop()`.
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
  // `readystatechange` fires before `DOMContentLoaded`, which waits for the app's scripts.
  if (document.readyState !== 'loading') onParsed()
  else document.addEventListener('readystatechange', onParsed, { once: true })
  setTimeout(showUnstyled, silenceMs, document)
  return { shell, interactive, over }
}

/**
 * Removes the second copy of a document that a proxy has sent twice. The parser puts the copy into
 * the body, where it begins with the entry script's tag.
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

/**
 * Returns the data block with the payload, once the block is complete. A page's content may contain
 * blocks of the same type, so only the last block with the document's nonce counts.
 */
export function payloadBlock(document: Document): HTMLElement | undefined {
  const blocks = document.querySelectorAll<HTMLElement>('script[type="text/x-component"]')
  const block = [...blocks].findLast(({ nonce }) => nonce === documentNonce())
  return block?.textContent.endsWith(documentEndMark) ? block : undefined
}

/**
 * Returns the document's nonce, or a key that replaces the nonce if the document's CSP uses hashes.
 * User content can't contain the nonce or the key.
 */
export function documentNonce(): string {
  return entryElement()?.nonce ?? ''
}

/** Returns the entry script's element. None of the app's HTML comes before it. @see ssr/clientFiles.ts */
export function entryElement(): HTMLElement | null {
  // In development, the devtools panel's script may come first.
  const panel = import.meta.env.DEV ? ':not([src*="/devtools/"])' : ''
  return document.querySelector<HTMLElement>(`script[src]${panel}`)
}

/** How often the parser's position is checked within `silenceMs`. */
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

/**
 * Makes the browser show a document even if stylesheets are missing. Each stylesheet applies once
 * it has loaded.
 */
export function showUnstyled(document: Document): void {
  for (const link of document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]')) {
    if (link.sheet) continue
    const { media } = link
    const waiting = link.cloneNode() as HTMLLinkElement
    // Browsers don't delay painting or scripts for a stylesheet whose media query doesn't match.
    waiting.media = 'not all'
    for (const type of ['load', 'error']) {
      waiting.addEventListener(type, () => {
        waiting.media = media
        // React or Vite's client may still be waiting for an event of the old link.
        link.dispatchEvent(new Event(type))
      })
    }
    // Keep the old link until the new one is in the document, so that both links share the running request.
    link.after(waiting)
    link.remove()
  }
  // Reading a size makes Firefox paint.
  void document.body?.offsetHeight
}
