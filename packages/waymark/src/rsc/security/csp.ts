import { createHash } from 'node:crypto'
import { screenScript } from '../../screens/screenDocument.ts'
import { documentStyle, screenStyle } from '../../screens/style.ts'
import type { HandlerResponse, HeaderLines } from '../../shared/response.ts'
import { type CspConfig, type SecurityConfig, withDefaultLines } from '../../shared/security.ts'
import { themeStyles } from '../../theme/themeStyles.ts'
import { createNonces } from './nonce.ts'

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

/** Creates the writer of an app's policies. All but nonces and hashes is put together ahead. */
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
