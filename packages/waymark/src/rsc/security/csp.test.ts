import { expect, test } from 'vitest'
import { resolveSecurity, type SecurityOptions } from '../../vite/config/securityOptions.ts'
import { createContentPolicy, hashSource } from './csp.ts'

const own = { scripts: ['theme()'], styles: ['.a{}'] }

function policyOf(csp: SecurityOptions['csp'] & object, isDev = false) {
  const { csp: config } = resolveSecurity({ csp })
  if (config === null) throw new Error('There is a policy.')
  return createContentPolicy({ config, own, isDev })
}

function directive(text: string | undefined, name: string): string | undefined {
  return text?.split('; ').find((part) => part.startsWith(`${name} `))
}

test('a document with a nonce has it for scripts and styles, beside what the framework writes', () => {
  const [[name, text] = []] = policyOf({}).withNonce('N0')
  expect(name).toBe('content-security-policy')
  expect(directive(text, 'script-src')).toBe(
    `script-src 'self' ${hashSource('theme()')} 'nonce-N0'`,
  )
  expect(directive(text, 'style-src')).toBe(`style-src 'self' ${hashSource('.a{}')} 'nonce-N0'`)
  expect(directive(text, 'object-src')).toBe("object-src 'none'")
})

test('a document that is the same for everybody has hashes, and no nonce', () => {
  const inline = { scripts: [hashSource('x')], styles: [hashSource('y')] }
  const [[, text] = []] = policyOf({}).withHashes(inline)
  expect(directive(text, 'script-src')).toContain(hashSource('x'))
  expect(directive(text, 'style-src')).toContain(hashSource('y'))
  expect(text).not.toContain('nonce-')
})

test('the hash is that of the specification', () => {
  // CSP 3 §2.3.1 gives it for this text.
  expect(hashSource("alert('Hello, world.');")).toBe(
    "'sha256-qznLcsROx4GACP2dm0UCKCzCG+HiZ1guq6ZZDob/Tng='",
  )
})

test.each(["'unsafe-inline'", "'none'"])('beside %s, nothing is added', (source) => {
  const [[, text] = []] = policyOf({ directives: { 'style-src': [source] } }).withNonce('N0')
  expect(directive(text, 'style-src')).toBe(`style-src ${source}`)
})

test('reports only, and where to', () => {
  const lines = policyOf({ reportOnly: true, reportTo: '/csp' }).withNonce('N0')
  expect(lines.map(([name]) => name)).toEqual([
    'content-security-policy-report-only',
    'reporting-endpoints',
  ])
  expect(lines[0]?.[1]).toContain('report-uri /csp; report-to waymark-csp')
  expect(lines[1]?.[1]).toBe('waymark-csp="/csp"')
})

test('development allows what React and Vite do there', () => {
  const [[, text] = []] = policyOf({}, true).withNonce('N0')
  expect(directive(text, 'script-src')).toContain("'unsafe-eval'")
  expect(directive(text, 'connect-src')).toBe("connect-src 'self' ws: wss:")
})
