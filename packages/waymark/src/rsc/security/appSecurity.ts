import { screenScript } from '../../screens/script.ts'
import { documentStyle, screenStyle } from '../../screens/style.ts'
import type { HandlerResponse, HeaderLines } from '../../shared/answer.ts'
import { type SecurityConfig, withDefaultLines } from '../../shared/security.ts'
import { themeStyles } from '../../theme/styles.ts'
import { type ContentPolicy, createContentPolicy } from './contentPolicy.ts'
import { createNonces } from './nonce.ts'

/** What answering needs of an app's security settings. */
export type AppSecurity = {
  /** Writes the policy of documents; `null` where the app asked for none. */
  readonly policy: ContentPolicy | null
  readonly headers: HeaderLines
  createNonce(): string
}

/** Prepares an app's security settings. @param themeScript text of the pre-paint script */
export function createAppSecurity(
  { csp, headers }: SecurityConfig,
  themeScript: string,
  isDev: boolean,
): AppSecurity {
  const scripts = [themeScript, screenScript]
  const styles = [...themeStyles, screenStyle, documentStyle]
  const policy = csp && createContentPolicy({ config: csp, own: { scripts, styles }, isDev })
  return { policy, headers, createNonce: createNonces() }
}

/**
 * Puts the default headers into an answer, and the policy of a document. What the answer says
 * itself stays; what it says with an empty value is left out.
 * @param nonce the one that the document was rendered with; `null` for one that gets its policy
 *   elsewhere
 */
export function securedResponse(
  answer: HandlerResponse,
  { policy, headers }: AppSecurity,
  nonce: (() => string | undefined) | null,
): HandlerResponse {
  // The headers of what is kept were made when it was rendered.
  if (answer.prerendered !== undefined || answer.kept !== undefined) return answer
  const used = policy !== null && isDocument(answer.headers) ? nonce?.() : undefined
  const defaults =
    policy === null || used === undefined ? headers : [...policy.withNonce(used), ...headers]
  return { ...answer, headers: withDefaultLines(answer.headers, defaults) }
}

function isDocument(lines: HeaderLines): boolean {
  return lines.some(([name, value]) => name === 'content-type' && value.startsWith('text/html'))
}
