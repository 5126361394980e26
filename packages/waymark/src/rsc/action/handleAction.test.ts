import { describe, expect, test, vi } from 'vitest'
import { toServerRequest } from '../../shared/web.ts'
import { defaultThemeConfig } from '../../theme/config.ts'
import { createAppScreens } from '../errors/screenResponse.ts'
import { createScope } from '../request/scope.ts'
import { handleAction, isCrossOrigin } from './handleAction.ts'

// React's own runtime is not under test, and needs a bundler.
vi.mock('@vitejs/plugin-rsc/rsc.node', () => ({}))
vi.mock('@vitejs/plugin-rsc/vendor/react-server-dom/server.node', () => ({}))

const own = 'https://site.test'

function foreign(headers: Record<string, string>, allowed: readonly string[] = []): boolean {
  const request = { ...toServerRequest(new Request(`${own}/`, { method: 'POST' })) }
  return isCrossOrigin({ ...request, headers: new Headers(headers) }, allowed)
}

describe('a request is foreign', () => {
  test.each<[string, Record<string, string>]>([
    ['by what the browser says', { 'sec-fetch-site': 'cross-site' }],
    ['from a sibling site', { 'sec-fetch-site': 'same-site', origin: own }],
    ['by its origin', { origin: 'https://evil.test' }],
    ['from an opaque origin', { origin: 'null' }],
    ['from another scheme', { origin: 'http://site.test' }],
    ['from another port', { origin: 'https://site.test:8443' }],
    [
      'when its two headers differ',
      { 'sec-fetch-site': 'same-origin', origin: 'https://evil.test' },
    ],
    ['with cookies, and neither header', { cookie: 'a=b' }],
    ['with a password of the browser, and neither header', { authorization: 'Basic eA==' }],
    ['when it was typed, with cookies', { 'sec-fetch-site': 'none', cookie: 'a=b' }],
    ['with a forged host', { 'sec-fetch-site': 'cross-site', 'x-forwarded-host': 'evil.test' }],
  ])('%s', (_, headers) => {
    expect(foreign(headers)).toBe(true)
  })
})

describe('a request is the site’s own', () => {
  test.each<[string, Record<string, string>]>([
    ['by what the browser says', { 'sec-fetch-site': 'same-origin', cookie: 'a=b' }],
    ['by its origin', { origin: own, cookie: 'a=b' }],
    ['behind what ends TLS', { 'sec-fetch-site': 'same-origin', origin: 'http://site.test' }],
    ['from a program without credentials of a browser', {}],
    ['from a program with a token', { authorization: 'Bearer x' }],
  ])('%s', (_, headers) => {
    expect(foreign(headers)).toBe(false)
  })

  test('from an origin that is allowed', () => {
    const headers = { 'sec-fetch-site': 'cross-site', origin: 'https://friend.test' }
    expect(foreign(headers, ['https://friend.test'])).toBe(false)
    expect(foreign(headers, ['https://friend.test.evil.test'])).toBe(true)
  })
})

test('a form is foreign by the headers that were sent, also where proxy.ts has put others in place', async () => {
  const sent = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.test', cookie: 'a=b' }
  const received = toServerRequest(new Request(`${own}/`, { method: 'POST', headers: sent }))
  const url = { pathname: '/', search: '' }
  const scope = createScope({ request: received, url, phase: 'render', onAfterError: () => '' })
  const request = { ...received, headers: new Headers({ 'x-user': 'ada' }) }
  const app = {
    actionSettings: { allowedOrigins: [] },
    theme: { config: defaultThemeConfig },
    screens: createAppScreens(null, () => {}),
  }
  type Given = Parameters<typeof handleAction>
  const page = { request, scope } as unknown as Given[1]
  const response = await handleAction({ kind: 'form' }, page, app as unknown as Given[2], null)
  expect(response.status).toBe(403)
})
