import { createHash, randomFillSync } from 'node:crypto'
import type { PrerenderedResponse } from '../../builds/cachedPage.ts'
import {
  type HandlerResponse,
  type HeaderLines,
  headerOf,
  withDefaultLines,
} from '../../http/response.ts'
import { type ByteChunk, joinPieces } from '../../http/stream.ts'
import { screenScript } from '../../screens/screenDocument.ts'
import { documentStyle, screenStyle } from '../../screens/style.ts'
import type { CspConfig, SecurityConfig } from '../../shared/settings.ts'
import { themeStyles } from '../../theme/themeStyles.ts'
import { hiddenFieldsStyle } from '../request/completeDocument.ts'
import { currentScope } from '../request/scope.ts'

/** Contents of inline scripts and styles, or CSP sources that allow them. */
export type Inline = { readonly scripts: readonly string[]; readonly styles: readonly string[] }

type ContentPolicyOptions = {
  readonly config: CspConfig
  /** The framework's inline scripts and styles, which any document may contain. */
  readonly inline: Inline
  /** True in development, where React and Vite need additional rules. */
  readonly isDev: boolean
}

const reportGroup = 'waymark-csp'
// Placeholder for the nonce. A header can't contain NUL, and options that contain it are refused.
const slot = '\0'

export function createContentPolicy({ config, inline: sharedInline, isDev }: ContentPolicyOptions) {
  const hashes = {
    scripts: sharedInline.scripts.map(hashSource),
    styles: sharedInline.styles.map(hashSource),
  }
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
    withNonce: (nonce: string): HeaderLines => [[name, pieces.join(nonce)], ...reporting],
    /** Returns the policy for a document that visitors share. @param inline sources from `hashSource` */
    withHashes: (inline: Inline): HeaderLines => [
      [name, write(inline.scripts, inline.styles)],
      ...reporting,
    ],
  }
}

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

// True if no hash may be added to the sources. A hash would disable 'unsafe-inline', and 'none' is
// only valid alone: CSP 3 §8.2.
function allowsInline(sources: readonly string[]): boolean {
  return sources.includes("'unsafe-inline'") || sources.includes("'none'")
}

// Adapts the directives to development. React's development build uses `eval` for server stacks.
// Vite uses a WebSocket, which older browsers don't count as the same origin.
function forDev(directives: Directives): Directives {
  const added = { 'script-src': ["'unsafe-eval'"], 'connect-src': ['ws:', 'wss:'] }
  const changed: Record<string, readonly string[]> = { ...directives }
  for (const [name, sources] of Object.entries(added)) {
    const directiveSources = directives[name] ?? directives['default-src']
    if (directiveSources)
      changed[name] = [...directiveSources.filter((source) => source !== "'none'"), ...sources]
  }
  return changed
}

export type AppSecurity = ReturnType<typeof createAppSecurity>

export function createAppSecurity(
  { csp, headers }: SecurityConfig,
  themeScript: string,
  isDev: boolean,
) {
  const scripts = [themeScript, screenScript]
  const styles = [...themeStyles, screenStyle, documentStyle, hiddenFieldsStyle]
  const policy = csp && createContentPolicy({ config: csp, inline: { scripts, styles }, isDev })
  return { policy, headers, createNonce: createNonces() }
}

/** @param nonce the document's nonce; `null` if its policy is added elsewhere */
export function securedResponse(
  response: HandlerResponse,
  { policy, headers }: AppSecurity,
  nonce: (() => string | undefined) | null,
): HandlerResponse {
  // A cached page already has a policy in its headers.
  if (response.prerendered !== undefined || response.cached !== undefined) return response
  const used = policy !== null && isDocument(response.headers) ? nonce?.() : undefined
  const defaults =
    policy === null || used === undefined ? headers : [...policy.withNonce(used), ...headers]
  return { ...response, headers: withDefaultLines(response.headers, defaults) }
}

function isDocument(lines: HeaderLines): boolean {
  return headerOf(lines, 'content-type')?.startsWith('text/html') === true
}

const nonceBytes = 16
// Number of nonces to create at once. Getting random bytes takes about the same time for one nonce
// as for many.
const noncesAtOnce = 128

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

// Matches a nonce: 16 bytes in base64url (CSP 3 §2.3.1).
const nonceForm = /^[\w-]{22}$/
// Length of a key. A nonce has a different length, so the two can't be confused.
const keyLength = 24

/** Parses the nonce of the client's document. Inline scripts in page data need it. */
export function parseNonce(sent: string | null): string | undefined {
  return sent !== null && nonceForm.test(sent) ? sent : undefined
}

/**
 * Returns the document's nonce. A page that uses it can still be prerendered; hashes then replace
 * the nonce.
 * @returns `undefined` without `security.csp`, and for page data that a document without a nonce
 * requests
 * @throws `OUTSIDE_REQUEST`
 */
export function nonce(): string | undefined {
  return currentScope('nonce()').context.nonce()
}

/**
 * Replaces a document's nonce with hashes, because a nonce that visitors share protects nothing.
 * Only elements with the nonce are hashed, so injected elements aren't allowed. Files and the
 * payload get a key instead, which is a hash of the whole document, so that the document's content
 * can't contain it.
 * @see client/document/documentStream.ts
 */
export function hashDocument(html: string, nonce: string) {
  const attribute = ` nonce="${nonce}"`
  const inline = { scripts: new Set<string>(), styles: new Set<string>() }
  // Payload rows may contain their lengths, so the replacement must be as long as the nonce.
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
    const nonce = isInline ? '' : ` nonce="${key}"`
    hashed += rest(html.slice(end, match.index).replaceAll(attribute, ''))
    hashed += `<${name}${rest(before)}${nonce}${rest(after)}>${text}</${name}>`
    end = match.index + element.length
  }
  hashed += rest(html.slice(end).replaceAll(attribute, ''))
  const sources: Inline = { scripts: [...inline.scripts], styles: [...inline.styles] }
  return { html: hashed, inline: sources }
}

/** Replaces the nonce in a payload without changing the lengths of rows. */
export function hashPayload(pieces: readonly ByteChunk[], nonce: string): readonly ByteChunk[] {
  const bytes = joinPieces(pieces)
  if (!bytes.includes(nonce)) return pieces
  const text = bytes.toString('latin1').replaceAll(nonce, '0'.repeat(nonce.length))
  return [Buffer.from(text, 'latin1')]
}

/** Adds the policy to a document that visitors share. @param nonce as in `hashDocument` */
export function hashedResponse(
  response: PrerenderedResponse,
  { policy }: Pick<AppSecurity, 'policy'>,
  nonce: string,
): PrerenderedResponse {
  if (policy === null || !isDocument(response.headers)) return response
  const { html, inline } = hashDocument(Buffer.from(response.body).toString(), nonce)
  const headers = withDefaultLines(response.headers, policy.withHashes(inline))
  return { ...response, headers, body: Buffer.from(html) }
}
