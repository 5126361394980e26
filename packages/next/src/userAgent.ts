/** Facts about a browser, from its `user-agent` header. */
export type UserAgent = {
  readonly ua: string
  readonly isBot: boolean
  readonly browser: { readonly name?: string; readonly version?: string; readonly major?: string }
  readonly device: { readonly type?: string; readonly vendor?: string; readonly model?: string }
  readonly engine: { readonly name?: string; readonly version?: string }
  readonly os: { readonly name?: string; readonly version?: string }
  readonly cpu: { readonly architecture?: string }
}

/** Reads the `user-agent` header of a request. */
export function userAgent({ headers }: { readonly headers: Headers }): UserAgent {
  return userAgentFromString(headers.get('user-agent') ?? undefined)
}

/** Parses a `user-agent` header. Only common browsers, devices and systems are recognised. */
export function userAgentFromString(ua = ''): UserAgent {
  const browser = firstOf(ua, browsers)
  return {
    ua,
    isBot: /bot\b|crawl|spider|slurp|facebookexternalhit|lighthouse|preview/i.test(ua),
    browser: { ...browser, ...(browser.version ? { major: browser.version.split('.')[0] } : {}) },
    device: deviceOf(ua),
    engine: firstOf(ua, engines),
    os: { ...firstOf(ua, systems), ...underlined(ua) },
    cpu: /x86_64|x64|win64/i.test(ua)
      ? { architecture: 'amd64' }
      : /arm64|aarch64/i.test(ua)
        ? { architecture: 'arm64' }
        : {},
  } as UserAgent
}

type Named = readonly (readonly [name: string, pattern: RegExp])[]

// The first match counts. A browser's header also contains the names of older browsers that it
// imitates, so keep this order.
const browsers: Named = [
  ['Edge', /\bEdg(?:e|A|iOS)?\/([\d.]+)/],
  ['Opera', /\bOPR\/([\d.]+)/],
  ['Samsung Internet', /\bSamsungBrowser\/([\d.]+)/],
  ['Firefox', /\b(?:Firefox|FxiOS)\/([\d.]+)/],
  ['Chrome', /\b(?:Chrome|CriOS)\/([\d.]+)/],
  ['Mobile Safari', /\bVersion\/([\d.]+) Mobile\/\w+ Safari/],
  ['Safari', /\bVersion\/([\d.]+).* Safari/],
]

const engines: Named = [
  ['Blink', /\bChrome\/([\d.]+)/],
  ['WebKit', /\bAppleWebKit\/([\d.]+)/],
  ['Gecko', /\brv:([\d.]+)\).*Gecko/],
]

const systems: Named = [
  ['Windows', /\bWindows NT ([\d.]+)/],
  ['Android', /\bAndroid ([\d.]+)/],
  ['iOS', /\b(?:iPhone|iPad).* OS ([\d_]+)/],
  ['Mac OS', /\bMac OS X ([\d_.]+)/],
  ['Linux', /\bLinux\b()/],
]

function firstOf(ua: string, namedPatterns: Named): { name?: string; version?: string } {
  for (const [name, pattern] of namedPatterns) {
    const [match, version] = pattern.exec(ua) ?? []
    if (match !== undefined) return version ? { name, version } : { name }
  }
  return {}
}

function underlined(ua: string): { version?: string } {
  const { version } = firstOf(ua, systems)
  return version ? { version: version.replaceAll('_', '.') } : {}
}

function deviceOf(ua: string): UserAgent['device'] {
  if (/iPad/.test(ua)) return { type: 'tablet', vendor: 'Apple', model: 'iPad' }
  if (/iPhone/.test(ua)) return { type: 'mobile', vendor: 'Apple', model: 'iPhone' }
  if (/Android/.test(ua)) return { type: /Mobile/.test(ua) ? 'mobile' : 'tablet' }
  return {}
}
