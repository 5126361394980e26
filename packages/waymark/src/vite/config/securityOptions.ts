import { parseAllowedHost } from '../../http/allowedHosts.ts'
import type { HeaderLines } from '../../http/response.ts'
import { checkOption } from '../../shared/errors.ts'
import type { CspConfig, SecurityConfig } from '../../shared/settings.ts'

/** Security settings for the app's responses. */
export type SecurityOptions = {
  /** Content-Security-Policy for every document. `true` uses the strict policy. Default: none. */
  readonly csp?: boolean | CspOptions
  /**
   * Headers for every response, in addition to the default headers or in place of them. `false`
   * removes a header. A route handler or proxy.ts can set a different value, or an empty value to
   * remove the header.
   */
  readonly headers?: Readonly<Record<string, string | false>>
  /**
   * Makes browsers check the build's scripts and stylesheets against their hashes before using
   * them. Default: true if `csp` is set.
   */
  readonly integrity?: boolean
  /**
   * Hosts that the app serves: `example.com`, `*.example.com` for all subdomains,
   * `example.com:8443` for one port only. Requests for other hosts get a 400. Default: every host.
   */
  readonly allowedHosts?: readonly string[]
  /** Names of environment variables of the server whose values are public. */
  readonly publicEnv?: readonly string[]
}

/** A Content-Security-Policy. */
export type CspOptions = {
  /**
   * Sources by directive, which replace the default ones. `false` removes a directive. Nonces and
   * hashes are added automatically.
   */
  readonly directives?: Readonly<Record<string, readonly string[] | false>>
  /** Reports violations without blocking anything. Default: `false`. */
  readonly reportOnly?: boolean
  /** URL, or path on the site, to which browsers send their reports. */
  readonly reportTo?: string
}

const defaultHeaders: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'x-frame-options': 'SAMEORIGIN',
}

const defaultDirectives: Readonly<Record<string, readonly string[]>> = {
  'default-src': ["'self'"],
  'script-src': ["'self'"],
  'style-src': ["'self'"],
  // Inline styles run no code, and React can't write `style={…}` in any other way.
  'style-src-attr': ["'unsafe-inline'"],
  // Small files are inlined as data: URLs, and pages create images from blobs.
  'img-src': ["'self'", 'data:', 'blob:'],
  'font-src': ["'self'", 'data:'],
  'object-src': ["'none'"],
  'base-uri': ["'self'"],
  'form-action': ["'self'"],
  'frame-ancestors': ["'self'"],
}

// Matches a header's name, which is a token (RFC 9110 §5.6.2).
const headerName = /^[!#$%&'*+\-.^_`|~\dA-Za-z]+$/
const headerValue = /^[\x20-\x7e]*$/
// A semicolon ends a directive and a comma ends a policy, so neither may occur in a source (CSP 3
// §2.3).
const sourceForm = /^[\x21-\x2b\x2d-\x3a\x3c-\x7e]+$/
// The URL is also written in quotes, so it may not contain any.
const reportForm = /^(?:\/|https:\/\/)[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]*$/
const keywords =
  /^(?:none|self|strict-dynamic|unsafe-(?:inline|eval|hashes)|wasm-unsafe-eval|report-sample)$/

/**
 * Validates an app's security settings and fills in the defaults.
 *
 * @throws `OPTION_VALUE`
 */
export function resolveSecurity(
  { csp = false, headers = {} }: SecurityOptions,
  assetOrigin: string | null = null,
): SecurityConfig {
  const policy = csp === false ? null : resolveCsp(csp === true ? {} : csp)
  const config = policy && { ...policy, directives: withAssets(policy.directives, assetOrigin) }
  return Object.freeze({ headers: resolveHeaders(headers, config), csp: config })
}

export function hasIntegrity({ csp = false, integrity = csp !== false }: SecurityOptions): boolean {
  return integrity
}

/**
 * Validates the allowed hosts.
 *
 * @returns `null` if every host is allowed
 * @throws `OPTION_VALUE`
 */
export function resolveAllowedHosts({ allowedHosts }: SecurityOptions): readonly string[] | null {
  if (allowedHosts === undefined) return null
  const rule = "use a list of host names: ['example.com', '*.example.com', 'localhost:3000']"
  const isList = Array.isArray(allowedHosts) && allowedHosts.length > 0
  check(isList, 'allowedHosts', JSON.stringify(allowedHosts), rule)
  for (const entry of allowedHosts) {
    const isHost = typeof entry === 'string' && parseAllowedHost(entry) !== null
    check(isHost, 'allowedHosts', JSON.stringify(entry), rule)
  }
  return allowedHosts
}

function resolveHeaders(headers: Readonly<Record<string, string | false>>, csp: CspConfig | null) {
  const lower: Record<string, string | false> = {}
  for (const [written, value] of Object.entries(headers)) {
    const name = written.toLowerCase()
    lower[name] = value
    const isSendable = headerName.test(name) && (value === false || headerValue.test(value))
    check(isSendable, `headers`, `${name}: ${value}`, 'use plain ASCII for name and value')
    const isPolicy = name.startsWith('content-security-policy')
    check(!isPolicy, 'headers', name, 'it differs between documents, so set it with security.csp')
  }
  // If the app sets its own frame-ancestors, omit x-frame-options: browsers that don't know
  // frame-ancestors would block frames that the policy allows.
  const framed = csp && !csp.reportOnly && String(csp.directives['frame-ancestors']) !== "'self'"
  const defaults = framed ? { ...defaultHeaders, 'x-frame-options': false } : defaultHeaders
  const merged = Object.entries({ ...defaults, ...lower })
  return merged.filter((line): line is [string, string] => line[1] !== false) as HeaderLines
}

function resolveCsp({ directives = {}, reportOnly = false, reportTo }: CspOptions): CspConfig {
  for (const [name, sources] of Object.entries(directives)) checkDirective(name, sources)
  const merged = Object.entries({ ...defaultDirectives, ...directives })
  const present = merged.filter((each): each is [string, readonly string[]] => each[1] !== false)
  const isUrl = (text: string) => URL.canParse(text, 'http://site.invalid') && reportForm.test(text)
  check(
    reportTo === undefined || isUrl(reportTo),
    'csp.reportTo',
    `${reportTo}`,
    'use a URL, or a path that begins with a slash',
  )
  return { directives: Object.fromEntries(present), reportOnly, reportTo: reportTo ?? null }
}

function withAssets(directives: CspConfig['directives'], assetOrigin: string | null) {
  if (assetOrigin === null) return directives
  const sources = Object.entries(directives).map(([name, each]) => {
    const isAsset = /^(?:default|script|style|img|font|media)-src$/.test(name)
    return [name, isAsset && each.includes("'self'") ? [...each, assetOrigin] : each] as const
  })
  return Object.fromEntries(sources)
}

function checkDirective(name: string, sources: readonly string[] | false): void {
  const option = `csp.directives`
  check(
    /^[a-z][a-z-]*$/.test(name),
    option,
    name,
    'use the name of a CSP directive, such as img-src',
  )
  const isReport = name === 'report-uri' || name === 'report-to'
  check(!isReport, option, name, 'use csp.reportTo, which sets both directives')
  if (sources === false) {
    const isNeeded = name === 'script-src' || name === 'style-src'
    check(!isNeeded, option, `${name}: false`, 'the framework needs it. List its sources instead')
    return
  }
  for (const source of sources) {
    const bare = keywords.test(source)
    check(!bare, option, `${name} ${source}`, `put the keyword in quotes: "'${source}'"`)
    check(
      sourceForm.test(source),
      option,
      `${name} ${source}`,
      "a source can't contain spaces, ; or ,",
    )
  }
}

function check(valid: boolean, option: string, value: string, rule: string): asserts valid {
  checkOption(valid, `security.${option}`, value, rule)
}
