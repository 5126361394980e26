import { cloneElement, Fragment, isValidElement, type ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import type { InsertHtml } from '../components/useServerInsertedHTML.ts'
import type { DocumentOptions } from '../http/documentRenderer.ts'
import { type ByteChunk, joinPieces } from '../http/stream.ts'
import { actionField, actionNaming, idempotencyKeyField, userField } from '../react/actionFields.ts'
import { hasOnlyLines } from '../react/ssr/payloadLines.ts'
import { frameworkError } from '../shared/errors.ts'
import { neverThrows } from '../shared/neverThrows.ts'
import { documentEndMark, interactiveAttribute } from '../wire/documentMarks.ts'

/** Puts one document together, from React's HTML and from what React does not write. */
export type DocumentWriter = ReturnType<typeof createDocumentWriter>

type WriterOptions = Pick<
  DocumentOptions,
  'onError' | 'nonce' | 'hasFormKeys' | 'rootFile' | 'sealedUser' | 'needsReact'
> & {
  /** HTML for an error after the document has begun. */
  readonly streamErrorMarkup?: (thrown: unknown) => string
  /** HTML for the start of the head; `null` when the head was sent. */
  readonly headStart: string | null
}

/** Writes one document, or the rest of a shell. Texts are sent in the order of the calls. */
export function createDocumentWriter(options: WriterOptions) {
  const { onError, nonce, hasFormKeys, rootFile, headStart, needsReact } = options
  const streamErrorMarkup = neverThrows(options.streamErrorMarkup ?? (() => ''), '')
  const inserted = createInsertions(onError, nonce)
  const errorMarkups: string[] = []
  let hasBegun = headStart === null
  let saysInteractive = false

  function begin(html: string): string {
    if (rootFile !== undefined && !/^<!doctype html>/i.test(html)) {
      throw frameworkError('ROOT_LAYOUT_HTML', { file: rootFile })
    }
    hasBegun = true
    const complete = insertAtHeadEnd(html, inserted.write())
    return insertAtHead(complete, headStart ?? '')
  }

  return {
    /** Registers HTML of a client component. */
    insert: inserted.add,
    hasBegun: () => hasBegun,
    /** Reports an error that comes after the begin: the document says so where no script runs. */
    failAfterBegin(thrown: unknown): string {
      errorMarkups.push(streamErrorMarkup(thrown))
      return onError(thrown)
    },
    /**
     * Writes what React has written next.
     * @param html whole tags; the first has all of the head
     * @throws `ROOT_LAYOUT_HTML` when the first is no document
     */
    html(html: string): string {
      // The rest of the payload goes before the end of the body.
      const open = html.endsWith(documentEnd) ? html.slice(0, -documentEnd.length) : html
      let text = hasFormKeys ? withFormFields(open, options.sealedUser?.() ?? null) : open
      if (hasBegun && text !== '') text = inserted.write() + withMetaNonce(text, nonce)
      else if (text !== '') text = begin(text)
      return hasBegun && errorMarkups.length > 0 ? text + errorMarkups.splice(0).join('') : text
    },
    /** Inlines the next pieces of a payload, and starts React with the first pieces that need it. */
    payload(pieces: readonly ByteChunk[]): string {
      const isInteractive = !saysInteractive && needsReact()
      saysInteractive ||= isInteractive
      return flightScript(pieces, { isInteractive, nonce })
    },
    /** Writes an empty part of the payload, which shows that the server is alive. */
    heartbeat: (): string => flightScript([], { nonce }),
    /** @param whole the payload, unless it was inlined in parts */
    end(whole?: WholeFlight): string {
      const rest = whole
        ? wholeFlightScript(whole, { isInteractive: needsReact(), nonce })
        : flightEnd(nonce)
      return rest + documentEnd
    },
  }
}

/** The end of every document that React writes. */
const documentEnd = '</body></html>'

/** Collects the callbacks by which client components insert HTML at each flush. */
function createInsertions(onError: (thrown: unknown) => unknown, nonce: string | undefined) {
  const callbacks: Parameters<InsertHtml>[0][] = []
  const write = (callback: (typeof callbacks)[number]): string => {
    try {
      return renderToStaticMarkup(withNonce(callback(), nonce))
    } catch (thrown) {
      onError(thrown)
      return ''
    }
  }
  return {
    add: ((callback) => void callbacks.push(callback)) satisfies InsertHtml,
    write: (): string => callbacks.map(write).join(''),
  }
}

/** Gives a nonce to inserted scripts and styles that have none. */
function withNonce(node: ReactNode, nonce: string | undefined): ReactNode {
  if (nonce === undefined) return node
  if (Array.isArray(node)) return node.map((each: ReactNode) => withNonce(each, nonce))
  if (!isValidElement<{ children?: ReactNode; nonce?: string }>(node)) return node
  const { type, props } = node
  if (type === Fragment) return withNonce(props.children, nonce)
  const isMeant = (type === 'style' || type === 'script') && props.nonce === undefined
  return isMeant ? cloneElement(node, { nonce }) : node
}

function insertAtHead(html: string, headStart: string): string {
  return html.replace(/<head[^>]*>/, (tag) => tag + headStart)
}

// The elements of a head whose content is text, and may hold tags of a script's strings.
const headTokens = /<(script|style|noscript|title|template)\b[^>]*>[\s\S]*?<\/\1\s*>|<\/head>/gi

function insertAtHeadEnd(html: string, inserted: string): string {
  if (inserted === '') return html
  for (const { 0: token, index } of html.matchAll(headTokens)) {
    if (token === '</head>') return html.slice(0, index) + inserted + html.slice(index)
  }
  return html
}

/**
 * Gives each form of a server action a key: sent twice without a script, it runs once. And the user
 * of its page: it does not run for another one.
 * @param html as React wrote it: neither text nor values hold `<`, `>` or `"`
 */
function withFormFields(html: string, sealedUser: string | null): string {
  if (!html.includes(` name="${actionField}`)) return html
  const document = crypto.randomUUID()
  let count = 0
  const user =
    sealedUser === null ? '' : `<input type="hidden" name="${userField}" value="${sealedUser}"/>`
  const field = () =>
    `<input type="hidden" name="${idempotencyKeyField}" value="${document}-${count++}"/>${user}`
  return html.replace(actionNaming, (naming) => field() + naming)
}

// For the head, once that has been sent: React writes it before any content.
const headTags = /^(?:<(?:meta|link|script) [^<>]*>(?:<\/script>)?|<title[^<>]*>[^<]*<\/title>)+/

/** Marks what React adds to a head that was sent. @see script/scriptLoader.ts */
function withMetaNonce(html: string, nonce: string | undefined): string {
  if (!nonce) return html
  return html.replace(headTags, (tags) => tags.replaceAll('<meta ', `<meta nonce="${nonce}" `))
}

type InlineOptions = {
  /** Says that the page needs React at once. */
  readonly isInteractive?: boolean
  readonly nonce?: string | undefined
}

/** The first of a tag: an open quote of content before the tag would take over any other. */
const nonceAttribute = (nonce?: string) => (nonce ? ` nonce="${nonce}"` : '')

/** Inlines a whole payload. One of lines only goes as a data block, without a second layer of quotes. */
export function wholeFlightScript(
  { text, decodable }: WholeFlight,
  options: InlineOptions,
): string {
  const attribute = options.isInteractive ? ` ${interactiveAttribute}` : ''
  // JSON may hold `<` as an escape, and has no carriage return or NUL, which a parser would change.
  return typeof decodable === 'string'
    ? `<script${nonceAttribute(options.nonce)} type="text/x-component"${attribute}>${scriptSafe(text)}${documentEndMark}</script>`
    : flightScript([decodable], options) + flightEnd(options.nonce)
}

/**
 * Inlines a part of a payload as a script that pushes it to an array in `window`. Bytes that are no
 * text go as base64 in an array; `true` before says that the page needs React at once.
 */
export function flightScript(
  pieces: readonly ByteChunk[],
  { isInteractive = false, nonce }: InlineOptions = {},
): string {
  const pushed = (isInteractive ? 'true,' : '') + encodePieces(pieces)
  return `<script${nonceAttribute(nonce)}>(self.__waymark??=[]).push(${pushed})</script>`
}

/** Tells the client that the payload is whole. */
export function flightEnd(nonce?: string): string {
  return `<script${nonceAttribute(nonce)}>self.__waymark.push(null)</script>`
}

function encodePieces(pieces: readonly ByteChunk[]): string {
  const bytes = joinPieces(pieces)
  const text = bytes.toString()
  // Text that does not come back as the same bytes was none.
  return Buffer.byteLength(text) === bytes.length && !text.includes('\ufffd')
    ? scriptSafe(JSON.stringify(text))
    : JSON.stringify([bytes.toString('base64')])
}

// A script ends at `</script`, and `<!--` opens a state in which it doesn't.
function scriptSafe(json: string): string {
  return json.includes('<') ? json.replaceAll('<', '\\u003c') : json
}

export type WholeFlight = { readonly text: string; readonly decodable: ByteChunk }

/** Joins a whole payload. Text is decoded fastest, but a row that tells its length tells bytes. */
export function joinFlight(pieces: readonly ByteChunk[]): WholeFlight {
  let text = ''
  for (const piece of pieces) text += typeof piece === 'string' ? piece : textOf(piece)
  return { text, decodable: hasOnlyLines(text) ? text : joinPieces(pieces) }
}

// React cuts its views between characters: each is text on its own, unless it is binary data.
function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString()
}
