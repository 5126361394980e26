import { createHash } from 'node:crypto'
import type { HeaderLines } from '../../shared/answer.ts'
import type { CspConfig } from '../../shared/security.ts'

/** What a document holds inline: the texts, or the sources that allow them. */
export type Inline = { readonly scripts: readonly string[]; readonly styles: readonly string[] }

/** Writes the Content-Security-Policy of documents. */
export type ContentPolicy = {
  /** For a document whose own inline scripts and styles carry a nonce. */
  withNonce(nonce: string): HeaderLines
  /**
   * For a document that is the same for everybody.
   * @param inline the sources that allow what it holds, by `hashSource`
   */
  withHashes(inline: Inline): HeaderLines
}

/** What a policy is made of. */
export type ContentPolicyOptions = {
  readonly config: CspConfig
  /** Texts that any document of the app may hold inline: the framework's own. */
  readonly own: Inline
  /** The dev server: React and Vite do there what a policy would refuse. */
  readonly isDev: boolean
}

const reportGroup = 'waymark-csp'
// No source can hold it: NUL is refused in options, and allowed in no header.
const slot = '\0'

/** Makes what writes the policies of an app. All but nonces and hashes is put together ahead. */
export function createContentPolicy({ config, own, isDev }: ContentPolicyOptions): ContentPolicy {
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
    withNonce: (nonce) => [[name, pieces.join(nonce)], ...reporting],
    withHashes: ({ scripts, styles }) => [[name, write(scripts, styles)], ...reporting],
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
