import { expect, test, vi } from 'vitest'
import { toServerRequest } from '../../http/web.ts'
import { createMatcher } from '../../routing/match.ts'
import { buildRouteTree } from '../../routing/testing/buildRouteTree.ts'
import { defaultThemeConfig } from '../../theme/config.ts'
import { refusalHeader } from '../../wire/protocol.ts'
import { createAppScreens } from '../errors/screenResponse.ts'
import type { PageRequest } from '../page/pageRequest.ts'
import { createScope } from '../request/scope.ts'
import type { ActionApp } from './authorize.ts'
import { handleAction } from './handleAction.ts'

// Mock React's runtime, because it needs a bundler and isn't under test.
vi.mock('@vitejs/plugin-rsc/rsc.node', () => ({
  renderToPipeableStream: () => ({ pipe: (to: NodeJS.WritableStream) => to.end(), abort() {} }),
}))
vi.mock('@vitejs/plugin-rsc/vendor/react-server-dom/server.node', () => ({}))

const origin = 'https://site.test'

test('the origin of a form is read from the headers of the client, even if proxy.ts replaced them', async () => {
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

/** Faults of a call that are found before its arguments are decoded, in the order of the checks. */
const faults = ['foreign-origin', 'other-user', 'unknown', 'wrong-type', 'too-large']

/** Calls an action with a request that has the given faults. @returns the code of the refusal */
async function refusalOf(present: readonly string[]): Promise<string | undefined> {
  const has = (fault: string) => present.includes(fault)
  const headers = {
    origin: has('foreign-origin') ? 'https://evil.test' : origin,
    cookie: 'session=1',
    'content-type': has('wrong-type') ? 'application/json' : 'text/plain;charset=UTF-8',
    'idempotency-key': 'k'.repeat(22),
  }
  const body = has('too-large') ? 'x'.repeat(200) : '[]'
  const request = toServerRequest(new Request(`${origin}/`, { method: 'POST', headers, body }))
  const url = { pathname: '/', search: '' }
  const scope = createScope({ request, url, phase: 'render', onAfterError: () => '' })
  const action = { id: 'a#b', files: ['page.tsx'] }
  const app = {
    actionSettings: { allowedOrigins: [], maxBytes: 100, timeoutMs: 100 },
    logForeign: () => {},
    users: { refusalOf: async () => (has('other-user') ? 'other-user' : null) },
    actions: { find: () => (has('unknown') ? null : action), load: () => () => 'done' },
    modules: { load: () => ({ module: {} }) },
    buildId: 'b1',
  }
  const { match } = createMatcher(buildRouteTree(['layout.tsx', 'page.tsx']))
  const page = { request, scope, match: match('/'), ...url } as unknown as PageRequest
  const posted = { kind: 'call', id: 'a#b' } as const
  const response = await handleAction(posted, page, app as unknown as ActionApp)
  return response.headers.find(([name]) => name === refusalHeader)?.[1]
}

test.each(faults.map((fault, index) => [fault, faults.slice(index)] as const))(
  'a call is refused as %s before the faults that follow: %s',
  async (fault, present) => {
    expect(await refusalOf(present)).toBe(fault)
  },
)
