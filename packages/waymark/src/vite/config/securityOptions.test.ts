import { expect, test } from 'vitest'
import {
  hasIntegrity,
  resolveAllowedHosts,
  resolveSecurity,
  type SecurityOptions,
} from './securityOptions.ts'

test('by default, responses have three headers and no policy', () => {
  expect(resolveSecurity({})).toEqual({
    csp: null,
    headers: [
      ['x-content-type-options', 'nosniff'],
      ['referrer-policy', 'strict-origin-when-cross-origin'],
      ['x-frame-options', 'SAMEORIGIN'],
    ],
  })
})

test('each header can be replaced or removed, and others can be added', () => {
  const headers = { 'Referrer-Policy': 'no-referrer', 'x-frame-options': false, coop: 'x' } as const
  expect(resolveSecurity({ headers }).headers).toEqual([
    ['x-content-type-options', 'nosniff'],
    ['referrer-policy', 'no-referrer'],
    ['coop', 'x'],
  ])
})

test('a policy that allows framing removes the x-frame-options header', () => {
  const csp = { directives: { 'frame-ancestors': ["'self'", 'https://partner.example'] } }
  const names = (options: SecurityOptions) => resolveSecurity(options).headers.map(([name]) => name)
  expect(names({ csp })).not.toContain('x-frame-options')
  expect(names({ csp: true })).toContain('x-frame-options')
  expect(names({ csp: { ...csp, reportOnly: true } })).toContain('x-frame-options')
})

test('a directive replaces the default one, and false removes it', () => {
  const directives = { 'img-src': ['https:'], 'form-action': false } as const
  const { csp } = resolveSecurity({ csp: { directives } })
  expect(csp?.directives['img-src']).toEqual(['https:'])
  expect(csp?.directives).not.toHaveProperty('form-action')
  expect(csp?.directives['script-src']).toEqual(["'self'"])
})

test.each<[SecurityOptions, string]>([
  [{ csp: { directives: { 'img-src': ['self'] } } }, 'in quotes'],
  [
    { csp: { directives: { 'img-src': ['https://a.b; script-src *'] } } },
    "can't contain spaces, ; or ,",
  ],
  [{ csp: { directives: { 'img-src': ['a,b'] } } }, "can't contain spaces, ; or ,"],
  [{ csp: { directives: { 'img-src': ['\0'] } } }, "can't contain spaces, ; or ,"],
  [{ csp: { directives: { imgSrc: ["'self'"] } } }, 'name of a CSP directive'],
  [{ csp: { directives: { 'script-src': false } } }, 'the framework needs it'],
  [{ csp: { directives: { 'report-to': ['x'] } } }, 'csp.reportTo'],
  [{ csp: { reportTo: '/csp; sandbox' } }, 'begins with a slash'],
  [{ headers: { 'x y': '1' } }, 'plain ASCII'],
  [{ headers: { 'x-y': 'a\r\nb: c' } }, 'plain ASCII'],
  [{ headers: { 'Content-Security-Policy': 'x' } }, 'security.csp'],
])('%j is refused', (options, message) => {
  expect(() => resolveSecurity(options)).toThrow(message)
})

test('files have hashes if there is a policy, or if integrity is set', () => {
  expect(hasIntegrity({})).toBe(false)
  expect(hasIntegrity({ csp: true })).toBe(true)
  expect(hasIntegrity({ csp: true, integrity: false })).toBe(false)
  expect(hasIntegrity({ integrity: true })).toBe(true)
})

test("the app's hosts are names, with an optional wildcard or port", () => {
  const allowedHosts = ['example.com', '*.example.com', 'localhost:3000', '[::1]']
  expect(resolveAllowedHosts({ allowedHosts })).toEqual(allowedHosts)
  expect(resolveAllowedHosts({})).toBe(null)
})

test.each([[], ['https://example.com'], ['*'], ['']].map((allowedHosts) => ({ allowedHosts })))(
  '%j is not a valid list of hosts',
  (options) => {
    expect(() => resolveAllowedHosts(options)).toThrow('security.allowedHosts')
  },
)
