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
import { withMovedTitles, withoutReplacedTags } from './writeHeadTags.ts'

/** Combines React's HTML with the other parts of a document, such as the payload and form fields. */
export type DocumentWriter = ReturnType<typeof createDocumentWriter>

type WriterOptions = Pick<
  DocumentOptions,
  'onError' | 'nonce' | 'hasFormKeys' | 'rootFile' | 'sealedUser' | 'needsReact'
> & {
  /** Returns the HTML to add for an error that occurs after the document has begun. */
  readonly streamErrorMarkup?: (thrown: unknown) => string
  /** HTML for the start of the head; `null` if the head has already been sent. */
  readonly headStart: string | null
}

/**
 * Creates a writer for a document, or for the rest of a shell. Send the chunks that it returns in
 * order.
 */
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
    const complete = insertAtHeadEnd(withoutReplacedTags(html), inserted.write())
    return insertAtHead(complete, headStart ?? '')
  }

  return {
    /** Registers a client component's callback for HTML. */
    insert: inserted.add,
    hasBegun: () => hasBegun,
    /**
     * Reports an error that occurs after the document has begun. Returns markup that shows the
     * error in browsers with JavaScript disabled.
     */
    failAfterBegin(thrown: unknown): string {
      errorMarkups.push(streamErrorMarkup(thrown))
      return onError(thrown)
    },
    /**
     * Completes React's next piece of HTML.
     * @param html contains only whole tags; the first piece contains the whole head
     * @throws `ROOT_LAYOUT_HTML` if the first piece isn't the start of a document
     */
    html(html: string): string {
      // `end` writes the closing tags, after the rest of the payload.
      const open = html.endsWith(documentEnd) ? html.slice(0, -documentEnd.length) : html
      let text = hasFormKeys ? withFormFields(open, options.sealedUser?.() ?? null) : open
      if (hasBegun && text !== '') text = inserted.write() + withLateHeadTags(text, nonce)
      else if (text !== '') text = begin(text)
      return hasBegun && errorMarkups.length > 0 ? text + errorMarkups.splice(0).join('') : text
    },
    /**
     * Inlines the next pieces of the payload. The first piece that needs React makes the browser
     * start React.
     */
    payload(pieces: readonly ByteChunk[]): string {
      const isInteractive = !saysInteractive && needsReact()
      saysInteractive ||= isInteractive
      return flightScript(pieces, { isInteractive, nonce })
    },
    /** Writes an empty part of the payload, which tells the browser that the server is alive. */
    heartbeat: (): string => flightScript([], { nonce }),
    /**
     * Ends the document.
     * @param whole the payload, unless it has been inlined in parts
     */
    end(whole?: WholePayload): string {
      const rest = whole
        ? wholeFlightScript(whole, { isInteractive: needsReact(), nonce })
        : flightEnd(nonce)
      return rest + documentEnd
    },
  }
}

/** End of every document that React writes. */
const documentEnd = '</body></html>'

/** Collects client components' callbacks, which insert HTML at each flush. */
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

/** Adds a nonce to inserted scripts and styles that have none. */
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

// Matches the end of the head. Skips elements with raw text, in which `</head>` may occur.
const headTokens = /<(script|style|noscript|title|template)\b[^>]*>[\s\S]*?<\/\1\s*>|<\/head>/gi

function insertAtHeadEnd(html: string, inserted: string): string {
  if (inserted === '') return html
  for (const { 0: token, index } of html.matchAll(headTokens)) {
    if (token === '</head>') return html.slice(0, index) + inserted + html.slice(index)
  }
  return html
}

/**
 * Adds two hidden fields to each form whose action is a server action. The idempotency key makes
 * the action run once even if the form is sent twice without JavaScript. The page's user prevents
 * the action from running for a different user.
 * @param html React's HTML, in which `<`, `>` and `"` are escaped in texts and values
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

// Matches head tags that React writes after the head was sent. They come before any content.
const headTags = /^(?:<(?:meta|link|script) [^<>]*>(?:<\/script>)?|<title[^<>]*>[^<]*<\/title>)+/

/**
 * Completes tags for the head that arrive after the head was sent: adds a nonce to `<meta>` tags, and moves titles.
 * @see script/scriptLoader.ts
 */
function withLateHeadTags(html: string, nonce: string | undefined): string {
  return html.replace(headTags, (tags) => {
    const moved = withMovedTitles(tags, nonceAttribute(nonce))
    return nonce ? moved.replaceAll('<meta ', `<meta nonce="${nonce}" `) : moved
  })
}

type InlineOptions = {
  /** True if the page needs React at once. */
  readonly isInteractive?: boolean
  readonly nonce?: string | undefined
}

/**
 * Returns the nonce as an attribute. It must be a tag's first one, because an unclosed quote in
 * earlier content would swallow any later attribute.
 */
const nonceAttribute = (nonce?: string) => (nonce ? ` nonce="${nonce}"` : '')

/**
 * Inlines a whole payload. If it is text, it becomes a data block without a second layer of quotes.
 */
export function wholeFlightScript(
  { text, decodable }: WholePayload,
  options: InlineOptions,
): string {
  const attribute = options.isInteractive ? ` ${interactiveAttribute}` : ''
  // JSON allows to escape `<`. It contains no carriage returns or NUL, which an HTML parser would
  // change.
  return typeof decodable === 'string'
    ? `<script${nonceAttribute(options.nonce)} type="text/x-component"${attribute}>${scriptSafe(text)}${documentEndMark}</script>`
    : flightScript([decodable], options) + flightEnd(options.nonce)
}

/**
 * Inlines a part of a payload as a script that pushes it to an array in `window`. Bytes that aren't
 * text are pushed as base64 in an array. If the page needs React at once, `true` comes first.
 */
export function flightScript(
  pieces: readonly ByteChunk[],
  { isInteractive = false, nonce }: InlineOptions = {},
): string {
  const pushed = (isInteractive ? 'true,' : '') + encodePieces(pieces)
  return `<script${nonceAttribute(nonce)}>(self.__waymark??=[]).push(${pushed})</script>`
}

/** Returns the script that marks the payload as complete. */
export function flightEnd(nonce?: string): string {
  return `<script${nonceAttribute(nonce)}>self.__waymark.push(null)</script>`
}

function encodePieces(pieces: readonly ByteChunk[]): string {
  const bytes = joinPieces(pieces)
  const text = bytes.toString()
  // If decoding changes the length or yields a replacement character, the bytes aren't text.
  return Buffer.byteLength(text) === bytes.length && !text.includes('\ufffd')
    ? scriptSafe(JSON.stringify(text))
    : JSON.stringify([bytes.toString('base64')])
}

// In a script, `</script` would end it, and after `<!--` an HTML parser might miss its real end. So
// escape `<`.
function scriptSafe(json: string): string {
  return json.includes('<') ? json.replaceAll('<', '\\u003c') : json
}

export type WholePayload = { readonly text: string; readonly decodable: ByteChunk }

/**
 * Joins a whole payload's pieces. React decodes text faster than bytes. If a row states its length,
 * the payload stays bytes, because the length is a number of bytes.
 */
export function joinFlight(pieces: readonly ByteChunk[]): WholePayload {
  let text = ''
  for (const piece of pieces) text += typeof piece === 'string' ? piece : textOf(piece)
  return { text, decodable: hasOnlyLines(text) ? text : joinPieces(pieces) }
}

// React never splits a character between pieces, so decode each piece separately.
function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString()
}
