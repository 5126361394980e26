import { expect, test } from 'vitest'
import { resolveSecurity, type SecurityOptions } from '../../vite/config/securityOptions.ts'
import {
  createContentPolicy,
  createNonces,
  hashDocument,
  hashedResponse,
  hashPayload,
  hashSource,
  nonce,
  parseNonce,
} from './csp.ts'

const appHashes = { scripts: ['theme()'], styles: ['.a{}'] }

function policyOf(csp: SecurityOptions['csp'] & object, isDev = false) {
  const { csp: config } = resolveSecurity({ csp })
  if (config === null) throw new Error('The policy is missing.')
  return createContentPolicy({ config, inline: appHashes, isDev })
}

function directive(text: string | undefined, name: string): string | undefined {
  return text?.split('; ').find((part) => part.startsWith(`${name} `))
}

test('a document with a nonce allows it for scripts and styles, besides the framework hashes', () => {
  const [[name, text] = []] = policyOf({}).withNonce('N0')
  expect(name).toBe('content-security-policy')
  expect(directive(text, 'script-src')).toBe(
    `script-src 'self' ${hashSource('theme()')} 'nonce-N0'`,
  )
  expect(directive(text, 'style-src')).toBe(`style-src 'self' ${hashSource('.a{}')} 'nonce-N0'`)
  expect(directive(text, 'object-src')).toBe("object-src 'none'")
})

test('a shared document has hashes, and no nonce', () => {
  const inline = { scripts: [hashSource('x')], styles: [hashSource('y')] }
  const [[, text] = []] = policyOf({}).withHashes(inline)
  expect(directive(text, 'script-src')).toContain(hashSource('x'))
  expect(directive(text, 'style-src')).toContain(hashSource('y'))
  expect(text).not.toContain('nonce-')
})

test('the hash matches the specification', () => {
  // This script and its hash are the example in CSP 3 §2.3.1.
  expect(hashSource("alert('Hello, world.');")).toBe(
    "'sha256-qznLcsROx4GACP2dm0UCKCzCG+HiZ1guq6ZZDob/Tng='",
  )
})

test.each(["'unsafe-inline'", "'none'"])('with %s, nothing is added', (source) => {
  const [[, text] = []] = policyOf({ directives: { 'style-src': [source] } }).withNonce('N0')
  expect(directive(text, 'style-src')).toBe(`style-src ${source}`)
})

test('can report only, to an endpoint', () => {
  const lines = policyOf({ reportOnly: true, reportTo: '/csp' }).withNonce('N0')
  expect(lines.map(([name]) => name)).toEqual([
    'content-security-policy-report-only',
    'reporting-endpoints',
  ])
  expect(lines[0]?.[1]).toContain('report-uri /csp; report-to waymark-csp')
  expect(lines[1]?.[1]).toBe('waymark-csp="/csp"')
})

test('in development, allows what React and Vite need', () => {
  const [[, text] = []] = policyOf({}, true).withNonce('N0')
  expect(directive(text, 'script-src')).toContain("'unsafe-eval'")
  expect(directive(text, 'connect-src')).toBe("connect-src 'self' ws: wss:")
})

test('nonces are long, different, and can be parsed', () => {
  const next = createNonces()
  const made = Array.from({ length: 1000 }, next)
  expect(new Set(made).size).toBe(1000)
  for (const each of made) expect(parseNonce(each)).toBe(each)
})

test('random bytes are requested again when they are used up', () => {
  let calls = 0
  const next = createNonces((bytes) => bytes.fill(++calls))
  const made = Array.from({ length: 300 }, next)
  expect(new Set(made).size).toBe(3)
})

test.each([
  null,
  '',
  'short',
  'a'.repeat(23),
  `${'a'.repeat(21)}"`,
  `${'a'.repeat(21)}\n`,
  ' '.repeat(22),
])('%j is not a nonce', (sent) => expect(parseNonce(sent)).toBeUndefined())

test('nonce() throws outside of a request', () => {
  expect(() => nonce()).toThrow('OUTSIDE_REQUEST')
})

const sentNonce = 'aaaaaaaaaaaaaaaaaaaaaa'

test('elements with the nonce are allowed by their hash, and no others', () => {
  const html = `<script nonce="${sentNonce}">own()</script><script>foreign()</script><style nonce="${sentNonce}">.own{}</style>`
  const { html: sealed, inline } = hashDocument(html, sentNonce)
  expect(sealed).toBe('<script>own()</script><script>foreign()</script><style>.own{}</style>')
  expect(inline).toEqual({ scripts: [hashSource('own()')], styles: [hashSource('.own{}')] })
})

test('a script file gets no hash, and its other attributes stay', () => {
  const html = `<script type="module" src="/a.js" nonce="${sentNonce}" async=""></script><link rel="modulepreload" nonce="${sentNonce}" href="/a.js"/>`
  const { html: sealed, inline } = hashDocument(html, sentNonce)
  expect(sealed.replace(/ nonce="[\w-]{24}"/, '')).toBe(
    '<script type="module" src="/a.js" async=""></script><link rel="modulepreload" href="/a.js"/>',
  )
  expect(inline).toEqual({ scripts: [], styles: [] })
})

test('entry and payload get a key, which is a hash of the document, and no hash in the policy', () => {
  const keyed = (content: string) => {
    const html = `<script src="/entry.js" nonce="${sentNonce}"></script>${content}<script nonce="${sentNonce}" type="text/x-component">0:{}</script>`
    const { html: sealed, inline } = hashDocument(html, sentNonce)
    expect(inline).toEqual({ scripts: [], styles: [] })
    const keys = [...sealed.matchAll(/ nonce="([^"]*)"/g)].map(([, key]) => key)
    expect(keys).toEqual([keys[0], keys[0]])
    return keys[0]
  }
  expect(keyed('')).toMatch(/^[\w-]{24}$/)
  expect(keyed('')).toBe(keyed(''))
  expect(keyed('')).not.toBe(keyed('<p>other</p>'))
  expect(parseNonce(keyed('') ?? '')).toBeUndefined()
})

test('a nonce in the payload is replaced, and lengths stay correct', () => {
  const html = `<p>${sentNonce}</p><script nonce="${sentNonce}">push("5:{nonce:${sentNonce}}")</script>`
  const { html: sealed, inline } = hashDocument(html, sentNonce)
  expect(sealed).not.toContain(sentNonce)
  expect(sealed).toHaveLength(html.length - ` nonce="${sentNonce}"`.length)
  const content = /<script>(.*)<\/script>/.exec(sealed)?.[1] ?? ''
  expect(inline.scripts).toEqual([hashSource(content)])
})

test('texts with dollar signs and line breaks are hashed as they are sent', () => {
  const text = 'a("$&$1")\nb()'
  const { html, inline } = hashDocument(`<script nonce="${sentNonce}">${text}</script>`, sentNonce)
  expect(html).toBe(`<script>${text}</script>`)
  expect(inline.scripts).toEqual([hashSource(text)])
})

test('only documents get a policy, unless they have their own', () => {
  const policy = {
    withNonce: () => [],
    withHashes: (): [string, string][] => [['content-security-policy', 'p']],
  }
  const seal = (headers: [string, string][]) =>
    hashedResponse({ status: 200, headers, body: Buffer.from('x') }, { policy }, sentNonce).headers
  const html: [string, string] = ['content-type', 'text/html; charset=utf-8']
  expect(seal([html])).toEqual([html, ['content-security-policy', 'p']])
  expect(seal([['content-type', 'text/x-component']])).toHaveLength(1)
  const appPolicy: [string, string] = ['content-security-policy', 'own']
  expect(seal([html, appPolicy])).toEqual([html, appPolicy])
})

test('a payload loses the nonce but keeps its length', () => {
  const pieces = [Buffer.from([255, 0]), `{"nonce":"${sentNonce}"}`]
  const [sealed] = hashPayload(pieces, sentNonce) as [Buffer]
  expect(sealed.includes(sentNonce)).toBe(false)
  expect([sealed.length, sealed[0], sealed[1]]).toEqual([sentNonce.length + 14, 255, 0])
  const plain = ['a']
  expect(hashPayload(plain, sentNonce)).toBe(plain)
})
