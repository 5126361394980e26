import { expect, test, vi } from 'vitest'
import { toServerRequest } from '../../http/web.ts'
import { defaultThemeConfig } from '../../theme/config.ts'
import { createAppScreens } from '../errors/screenResponse.ts'
import type { PageRequest } from '../page/pageRequest.ts'
import { createScope } from '../request/scope.ts'
import type { ActionApp } from './authorize.ts'
import { handleAction } from './handleAction.ts'

// React's own runtime is not under test, and needs a bundler.
vi.mock('@vitejs/plugin-rsc/rsc.node', () => ({}))
vi.mock('@vitejs/plugin-rsc/vendor/react-server-dom/server.node', () => ({}))

const origin = 'https://site.test'

test('a form is foreign by the headers that were sent, also where proxy.ts has put others in place', async () => {
  const sent = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.test', cookie: 'a=b' }
  const received = toServerRequest(new Request(`${origin}/`, { method: 'POST', headers: sent }))
  const url = { pathname: '/', search: '' }
  const scope = createScope({ request: received, url, phase: 'render', onAfterError: () => '' })
  const request = { ...received, headers: new Headers({ 'x-user': 'ada' }) }
  const app = {
    actionSettings: { allowedOrigins: [] },
    logForeign: () => {},
    theme: { config: defaultThemeConfig },
    screens: createAppScreens(null, {}, () => {}),
  }
  const page = { request, scope } as unknown as PageRequest
  const response = await handleAction({ kind: 'form' }, page, app as unknown as ActionApp)
  expect(response.status).toBe(403)
})
