import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { HandlerResponse } from '../../http/response.ts'
import { notFound } from '../../http/statuses.ts'
import { toResponse, toServerRequest } from '../../http/web.ts'
import { createMatcher } from '../../routing/match.ts'
import { redirect } from '../../routing/redirect.ts'
import { buildRouteTree } from '../../routing/testing/buildRouteTree.ts'
import { type ActionFunction, action } from '../../rsc/action/action.ts'
import type { ActionApp } from '../../rsc/action/authorize.ts'
import { handleAction, readActionRequest } from '../../rsc/action/handleAction.ts'
import { createIdempotency } from '../../rsc/action/idempotency.ts'
import { toCallResponse } from '../../rsc/action/responses.ts'
import type { PageRequest } from '../../rsc/page/pageRequest.ts'
import { createScope, currentScope, runInScope } from '../../rsc/request/scope.ts'
import { english } from '../../screens/screenTexts.ts'
import { defaultActionSettings } from '../../shared/settings.ts'
import { createRetries } from '../retry/retry.ts'
import { sendCall } from './sendCall.ts'

// React's decoder expects this function from a bundler.
vi.hoisted(() => Object.assign(globalThis, { __webpack_require__: { u: () => '' } }))
// Replace only plugin-rsc's module lookup. React's client and server runtimes are real.
vi.mock('@vitejs/plugin-rsc/vendor/react-server-dom/server.node', async () => {
  const { loadServerReact } = await import('../../rsc/action/testing/serverReact.ts')
  return loadServerReact()
})
vi.mock('@vitejs/plugin-rsc/rsc.node', async () => {
  const { loadServerReact } = await import('../../rsc/action/testing/serverReact.ts')
  const { renderToPipeableStream } = loadServerReact()
  return {
    renderToPipeableStream: (model: unknown, options: object) =>
      renderToPipeableStream(model, {}, options),
  }
})
const origin = 'https://site.test'
const buildId = 'build-of-the-server'
const { match } = createMatcher(buildRouteTree(['layout.tsx', 'page.tsx', 'not-found.tsx']))

beforeEach(() => void vi.stubGlobal('document', { querySelector: () => null }))
afterEach(() => void vi.unstubAllGlobals())

/** Loads a layout or page that renders nothing. */
function loadEmptyFile(file: string) {
  const module = { default: () => null }
  return { file, module, styles: null, stylesheets: [], clientFiles: [], mayNeedReact: false }
}

/** Calls an action with a `fetch` that passes the request to the server's real handler. */
async function call(
  run: ActionFunction,
  { body = '[]', proxied = null as HandlerResponse | null } = {},
) {
  const app = {
    actions: {
      isEmpty: false,
      find: (id: string) => (id === 'a#run' ? { id, files: ['page.tsx'] } : null),
      load: () => run,
    },
    actionSettings: defaultActionSettings,
    idempotency: createIdempotency(),
    logForeign: () => {},
    modules: { load: loadEmptyFile },
    theme: { isTheme: () => false },
    screens: { localeOf: () => english },
    resolveMetadata: () => ({ tags: [] }),
    statusDeadlineMs: 5_000,
    settleDeadlineMs: 5_000,
    report: () => 'digest-1',
    buildId,
  } as unknown as ActionApp
  let status = 0
  vi.stubGlobal('fetch', async (path: string, init: RequestInit) => {
    const request = toServerRequest(new Request(origin + path, { ...init, signal: null }))
    const url = { pathname: '/', search: '' }
    const scope = createScope({ request, url, phase: 'render', onAfterError: () => '' })
    const page = {
      kind: 'data',
      status: 200,
      match: match('/'),
      request,
      scope,
      address: url,
      mounted: new Set(),
      ...url,
    }
    const posted = readActionRequest(request, { kind: 'document' } as never)
    if (posted === null) throw new Error('the server reads no call')
    const response = await runInScope(scope, () =>
      proxied
        ? toCallResponse(proxied, app)
        : handleAction(posted, page as unknown as PageRequest, app),
    )
    status = response.status
    return toResponse(response)
  })
  const received = await sendCall({
    id: 'a#run',
    body,
    url: new URL(`${origin}/`),
    from: '/',
    beside: [],
    key: 'k'.repeat(22),
    silenceMs: 5_000,
    timeoutMs: 5_000,
    signal: new AbortController().signal,
    resume: { retries: createRetries({ pausesMs: [] }), onExhausted: () => false },
    retry: async () => undefined,
  })
  return { ...received, status }
}

const invalid = { isInvalid: true, formErrors: ['no'], fieldErrors: {}, values: {} }
const validate = () => ({ issues: [{ message: 'no' }] })
const picky = action({ input: { '~standard': { version: 1, vendor: 'test', validate } } }, () => 7)

function change(): string {
  currentScope('test').invalidatedTags = new Set(['tag'])
  return 'changed'
}

test.each<[string, ActionFunction, number, object]>([
  ['a value', () => 7, 200, { kind: 'returned', value: 7 }],
  [
    'a value with its page',
    change,
    200,
    { kind: 'returned', value: 'changed', page: expect.objectContaining({ build: buildId }) },
  ],
  ['invalid input', picky as ActionFunction, 422, { kind: 'invalid', value: invalid }],
  ['a redirect', () => redirect('/to'), 200, { kind: 'redirect', location: '/to', type: 'push' }],
  [
    'a signal',
    () => notFound(),
    404,
    { kind: 'signal', status: 404, page: expect.objectContaining({ build: buildId }) },
  ],
  [
    'a failure',
    () => {
      throw new Error('x')
    },
    500,
    { kind: 'failed', digest: 'digest-1' },
  ],
])('the browser reads %s and the id of its build', async (_, run, status, expected) => {
  const received = await call(run)
  await received.whole
  expect(received).toMatchObject({ status, build: buildId })
  expect(await settled(received.response)).toEqual(expected)
})

test('the browser reads a refusal and the id of its build', async () => {
  const { response, status, build } = await call(() => 7, { body: '{}' })
  expect({ response, status, build }).toEqual({
    response: { kind: 'refused', code: 'malformed' },
    status: 400,
    build: buildId,
  })
})

test('the browser reads a redirect of a call by proxy.ts', async () => {
  const proxied: HandlerResponse = { status: 307, headers: [['location', '/login']], body: null }
  const { response, status, build } = await call(() => 7, { proxied })
  expect({ response, status, build }).toEqual({
    response: { kind: 'redirect', location: '/login', type: 'replace' },
    status: 200,
    build: buildId,
  })
})

/** Waits for the `value` of a response, which is a promise if the response contains a page. */
async function settled(response: object): Promise<object> {
  return 'value' in response ? { ...response, value: await response.value } : response
}
