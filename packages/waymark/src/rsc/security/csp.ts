import { createHash, randomFillSync } from 'node:crypto'
import { screenScript } from '../../screens/screenDocument.ts'
import { documentStyle, screenStyle } from '../../screens/style.ts'
import type { PrerenderedResponse } from '../../shared/cachedPage.ts'
import type { HandlerResponse, HeaderLines } from '../../shared/response.ts'
import { type CspConfig, type SecurityConfig, withDefaultLines } from '../../shared/security.ts'
import { type ByteChunk, joinPieces } from '../../shared/stream.ts'
import { themeStyles } from '../../theme/themeStyles.ts'
import { currentScope } from '../request/scope.ts'

/** What a document holds inline: the texts, or the sources that allow them. */
export type Inline = { readonly scripts: readonly string[]; readonly styles: readonly string[] }

/** What a policy is made of. */
type ContentPolicyOptions = {
  readonly config: CspConfig
  /** Texts that any document of the app may hold inline: the framework's own. */
  readonly own: Inline
  /** The dev server: React and Vite do there what a policy would refuse. */
  readonly isDev: boolean
}

const reportGroup = 'waymark-csp'
// No source can hold it: NUL is refused in options, and allowed in no header.
const slot = '\0'

/** Creates the writer of an app's policies. All but nonces and hashes is put together once. */
export function createContentPolicy({ config, own, isDev }: ContentPolicyOptions) {
  const hashes = { scripts: own.scripts.map(hashSource), styles: own.styles.map(hashSource) }
  const directives = isDev ? forDev(config.directives) : config.directives
  const name = config.reportOnly ? 'content-security-policy-report-only' : 'content-security-policy'
  const reporting: HeaderLines =
    config.reportTo === null ? [] : [['reporting-endpoints', `${reportGroup}="${config.reportTo}"`]]
  const write = (scripts: readonly string[], styles: readonly string[]) =>
    formatPolicy(directives, config.reportTo, {
      'script-src': [...hashes.scripts, ...scripts],
      'style-src': [...hashes.styles, ...styles],
    })
  const pieces = write([`'nonce-${slot}'`], [`'nonce-${slot}'`]).split(slot)
  return {
    /** For a document whose own inline scripts and styles carry a nonce. */
    withNonce: (nonce: string): HeaderLines => [[name, pieces.join(nonce)], ...reporting],
    /**
     * For a document that is the same for everybody.
     * @param inline the sources that allow what it holds, by `hashSource`
     */
    withHashes: (inline: Inline): HeaderLines => [
      [name, write(inline.scripts, inline.styles)],
      ...reporting,
    ],
  }
}

/** The source that allows an inline text. @see CSP 3 §2.3.1 */
export function hashSource(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
}

type Directives = CspConfig['directives']

function formatPolicy(
  directives: Directives,
  reportTo: string | null,
  inline: Readonly<Record<string, readonly string[]>>,
): string {
  const parts = Object.entries(directives).map(([name, sources]) =>
    [name, ...sources, ...(allowsInline(sources) ? [] : (inline[name] ?? []))].join(' '),
  )
  if (reportTo !== null) parts.push(`report-uri ${reportTo}`, `report-to ${reportGroup}`)
  return parts.join('; ')
}

// CSP 3 §8.2: beside a nonce or a hash, 'unsafe-inline' means nothing; beside 'none', nothing counts.
function allowsInline(sources: readonly string[]): boolean {
  return sources.includes("'unsafe-inline'") || sources.includes("'none'")
}

// React's development build names the functions of server stacks by `eval`; Vite talks to its
// server by a socket, which older browsers do not count as the page's own origin.
function forDev(directives: Directives): Directives {
  const added = { 'script-src': ["'unsafe-eval'"], 'connect-src': ['ws:', 'wss:'] }
  const changed: Record<string, readonly string[]> = { ...directives }
  for (const [name, sources] of Object.entries(added)) {
    const given = directives[name] ?? directives['default-src']
    if (given) changed[name] = [...given.filter((source) => source !== "'none'"), ...sources]
  }
  return changed
}

/** What responding needs of an app's security settings. */
export type AppSecurity = ReturnType<typeof createAppSecurity>

/** Prepares an app's security settings. @param themeScript text of the pre-paint script */
export function createAppSecurity(
  { csp, headers }: SecurityConfig,
  themeScript: string,
  isDev: boolean,
) {
  const scripts = [themeScript, screenScript]
  const styles = [...themeStyles, screenStyle, documentStyle]
  // `null` where the app configured none.
  const policy = csp && createContentPolicy({ config: csp, own: { scripts, styles }, isDev })
  return { policy, headers, createNonce: createNonces() }
}

/**
 * Puts the default headers into a response, and the policy of a document. What the response says
 * itself stays; what it says with an empty value is left out.
 * @param nonce the one that the document was rendered with; `null` for one that gets its policy
 *   elsewhere
 */
export function securedResponse(
  response: HandlerResponse,
  { policy, headers }: AppSecurity,
  nonce: (() => string | undefined) | null,
): HandlerResponse {
  // The headers of a cached page were written when it was rendered.
  if (response.prerendered !== undefined || response.cached !== undefined) return response
  const used = policy !== null && isDocument(response.headers) ? nonce?.() : undefined
  const defaults =
    policy === null || used === undefined ? headers : [...policy.withNonce(used), ...headers]
  return { ...response, headers: withDefaultLines(response.headers, defaults) }
}

function isDocument(lines: HeaderLines): boolean {
  return lines.some(([name, value]) => name === 'content-type' && value.startsWith('text/html'))
}

const nonceBytes = 16
// Asking the system for random bytes costs much the same for one nonce and for many.
const noncesAtOnce = 128

/** Creates nonces of 128 bits, as text that may stand in a header and in an attribute. */
export function createNonces(fill: (bytes: Buffer) => unknown = randomFillSync): () => string {
  const bytes = Buffer.alloc(nonceBytes * noncesAtOnce)
  let used = bytes.length
  return () => {
    if (used === bytes.length) {
      fill(bytes)
      used = 0
    }
    used += nonceBytes
    return bytes.toString('base64url', used - nonceBytes, used)
  }
}

// CSP 3 §2.3.1: base64 in either alphabet. The length is that of ours.
const nonceForm = /^[\w-]{22}$/
// Another one, so that a key is never taken for a nonce.
const keyLength = 24

/**
 * Reads the nonce that the client's document was sent with: what it shows next has to carry
 * the same one.
 * @returns `undefined` for what is none of ours by its form
 */
export function parseNonce(sent: string | null): string | undefined {
  return sent !== null && nonceForm.test(sent) ? sent : undefined
}

/**
 * The nonce of the document that is shown, for an app's own inline scripts and styles. A page that
 * uses it may be prerendered all the same: its header then has their hashes.
 * @returns `undefined` without `security.csp`, and for page data of a document without a nonce
 * @throws `OUTSIDE_REQUEST`
 */
export function nonce(): string | undefined {
  return currentScope('nonce()').context.nonce()
}

/**
 * Turns a document that was rendered with a nonce into one that is allowed by hashes: a nonce
 * that everybody gets is none. Only elements that carry it count, so that nothing is allowed
 * that the app or React did not write as its own. Files and the payload get a key in its place: no
 * content can hold it, since it is a hash of all there is in the document.
 * @param nonce that was unknown before the document was rendered
 * @see client/document/documentStream.ts
 * @returns `inline`: the sources that allow what it holds inline
 */
export function hashDocument(html: string, nonce: string) {
  const attribute = ` nonce="${nonce}"`
  const inline = { scripts: new Set<string>(), styles: new Set<string>() }
  // Of the same length: rows of a payload may tell how long they are.
  const rest = (text: string) => text.replaceAll(nonce, '0'.repeat(nonce.length))
  const elements = new RegExp(`<(script|style)\\b([^>]*?)${attribute}([^>]*)>([^]*?)</\\1>`, 'g')
  const key = createHash('sha256').update(rest(html)).digest('base64url').slice(0, keyLength)
  let hashed = ''
  let end = 0
  for (const match of html.matchAll(elements)) {
    const [element, name = '', before = '', after = '', content = ''] = match
    const text = rest(content)
    const isInline = !/\ssrc=|^ type="text\/x-component"/.test(before + after)
    if (isInline) (name === 'style' ? inline.styles : inline.scripts).add(hashSource(text))
    const own = isInline ? '' : ` nonce="${key}"`
    hashed += rest(html.slice(end, match.index).replaceAll(attribute, ''))
    hashed += `<${name}${rest(before)}${own}${rest(after)}>${text}</${name}>`
    end = match.index + element.length
  }
  hashed += rest(html.slice(end).replaceAll(attribute, ''))
  const sources: Inline = { scripts: [...inline.scripts], styles: [...inline.styles] }
  return { html: hashed, inline: sources }
}

/** Takes a nonce out of a payload; its rows keep their lengths. */
export function hashPayload(pieces: readonly ByteChunk[], nonce: string): readonly ByteChunk[] {
  const bytes = joinPieces(pieces)
  if (!bytes.includes(nonce)) return pieces
  const text = bytes.toString('latin1').replaceAll(nonce, '0'.repeat(nonce.length))
  return [Buffer.from(text, 'latin1')]
}

/**
 * Gives a whole response that is the same for everybody the policy of its document.
 * @param nonce as for `hashDocument`
 */
export function hashedResponse(
  response: PrerenderedResponse,
  { policy }: Pick<AppSecurity, 'policy'>,
  nonce: string,
): PrerenderedResponse {
  const type = response.headers.find(([name]) => name === 'content-type')?.[1]
  if (policy === null || !type?.startsWith('text/html')) return response
  const { html, inline } = hashDocument(Buffer.from(response.body).toString(), nonce)
  const headers = withDefaultLines(response.headers, policy.withHashes(inline))
  return { ...response, headers, body: Buffer.from(html) }
}
