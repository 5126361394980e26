import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import type { PrerenderedManifest } from '../builds/cachedPage.ts'
import { createCache } from '../cache/cache.ts'
import { createMemoryDriver } from '../cache/memoryCacheDriver.ts'
import type { Endpoint } from '../http/endpoint.ts'
import type { HeaderLines } from '../http/response.ts'
import { toServerRequest } from '../http/web.ts'
import { createRequestListener } from '../node/listener.ts'
import { loadStaticFiles } from '../node/static/staticFiles.ts'
import { send, startServer } from '../node/testing/servers.ts'
import { createMatcher } from '../routing/match.ts'
import { redirect } from '../routing/redirect.ts'
import { buildRouteTree } from '../routing/testing/buildRouteTree.ts'
import { english } from '../screens/screenTexts.ts'
import { temporaryFolder } from '../shared/testing/temporaryFolder.ts'
import { defaultThemeConfig } from '../theme/config.ts'
import { probeType } from '../wire/protocol.ts'
import { SignalError } from '../wire/signals.ts'
import { createHandler } from './handler.ts'
import type { HandlerApp } from './handlerApp.ts'
import type { RouteModule } from './page/routeModules.ts'
import { createPageCache } from './pageCache/pageCache.ts'
import { after } from './request/after.ts'
import { cookies, headers } from './request/api.ts'

// Mock React's runtime, because it needs a bundler and isn't under test.
vi.mock('@vitejs/plugin-rsc/rsc.node', () => ({
  renderToPipeableStream: () => ({ pipe: (to: NodeJS.WritableStream) => to.end(), abort() {} }),
}))
vi.mock('@vitejs/plugin-rsc/vendor/react-server-dom/server.node', () => ({}))

const manifest: PrerenderedManifest = {
  version: 1,
  files: {},
  notFound: { file: '404.html', status: 404, headers: [['content-type', 'text/html']] },
}

const module = { GET: () => new Response('handled') } as Partial<RouteModule> as RouteModule

/** The parts of an app that a request for a route handler needs. */
function appOf(matcher: HandlerApp['matcher']): Partial<HandlerApp> {
  return {
    matcher,
    routeUrls: null,
    endpoints: [],
    modules: {
      load: (file) => ({
        file,
        module,
        styles: null,
        stylesheets: [],
        clientFiles: [],
        mayNeedReact: false,
      }),
      assetsOf: () => [],
    },
    isListed: () => true,
    isIntercepted: () => true,
    pageCache: createPageCache({
      cache: createCache({ memory: createMemoryDriver(), report: () => '' }),
      buildId: 'b1',
      staticRoutes: [],
      partialRoutes: [],
      report: () => '',
      render: async () => ({ kind: 'dynamic', reason: 'test' }),
    }),
    buildId: 'b1',
    hasBuiltNotFound: () => false,
    hasFile: () => false,
    around: null,
    observer: null,
    proxy: null,
    drafts: { isOn: () => false, pass: () => '' },
    security: { policy: null, headers: [], createNonce: () => 'n' },
    theme: { config: defaultThemeConfig } as HandlerApp['theme'],
  }
}

/** A built app with one route handler and a prerendered 404 page, served by Node. */
async function serve() {
  const matcher = createMatcher(buildRouteTree(['layout.tsx', 'api/route.ts']))
  const match = vi.spyOn(matcher, 'match')
  const folder = temporaryFolder({
    'prerendered.json': JSON.stringify(manifest),
    '404.html': 'nothing here',
  })
  const staticFiles = loadStaticFiles({ dirs: [], prerendered: join(folder, 'prerendered.json') })
  const { hasNotFound } = staticFiles
  const app = { ...appOf(matcher), hasBuiltNotFound: () => hasNotFound }
  const handle = createHandler(app as HandlerApp)
  const logger = { error: (_message: string, error: unknown) => expect(error).toBeUndefined() }
  const port = await startServer(createRequestListener({ handle, staticFiles, logger }))
  return { port, match }
}

test('a WebSocket of another origin is refused before its handler runs', async () => {
  const matcher = createMatcher(buildRouteTree(['layout.tsx', 'api/route.ts']))
  const actionSettings = { maxBytes: 1, allowedOrigins: ['https://friend.test'] }
  const logForeign = vi.fn()
  const app = { ...appOf(matcher), actionSettings, logForeign } as unknown as HandlerApp
  const statusOf = async (headers: Record<string, string>) =>
    (await createHandler(app)(toServerRequest(new Request('https://site.test/api', { headers }))))
      .status
  const socket = { upgrade: 'WebSocket', connection: 'Upgrade' }
  expect(await statusOf({ ...socket, origin: 'https://evil.test' })).toBe(403)
  expect(await statusOf({ ...socket, origin: 'null' })).toBe(403)
  expect(await statusOf({ ...socket, cookie: 'session=1' })).toBe(403)
  expect(logForeign).toHaveBeenCalledTimes(3)
  expect(await statusOf({ ...socket, origin: 'https://site.test' })).toBe(200)
  expect(await statusOf({ ...socket, origin: 'https://friend.test' })).toBe(200)
  // The server accepts requests from programs, which have no cookies to misuse. It accepts requests for
  // pages, because other sites can't read the response.
  expect(await statusOf(socket)).toBe(200)
  expect(await statusOf({ origin: 'https://evil.test' })).toBe(200)
})

test('an endpoint responds at its own URL instead of the app', async () => {
  const matcher = createMatcher(buildRouteTree(['layout.tsx', 'api/route.ts']))
  const handle = vi.fn(async () => ({ status: 204, headers: [], body: null }))
  const app = {
    ...appOf(matcher),
    endpoints: [{ path: '/_waymark/counted', handle }],
  } as unknown as HandlerApp
  const statusOf = async (path: string) =>
    (await createHandler(app)(toServerRequest(new Request(`http://site.test${path}`)))).status
  expect(await statusOf('/_waymark/counted')).toBe(204)
  expect(await statusOf('/api')).toBe(200)
  expect(handle).toHaveBeenCalledTimes(1)
})

/** Returns an app's responses to a request for an endpoint, with a cookie. */
async function respondAt(handle: Endpoint['handle'], more: Partial<HandlerApp> = {}) {
  const app = {
    ...appOf(createMatcher(buildRouteTree(['layout.tsx', 'api/route.ts']))),
    endpoints: [{ path: '/_waymark/flags', handle }],
    ...more,
  } as unknown as HandlerApp
  const request = new Request('http://site.test/_waymark/flags?a=b', {
    headers: { cookie: 'user="ada%20l"', 'x-plan': 'pro' },
  })
  const { headers, body } = await createHandler(app)(toServerRequest(request))
  const valuesOf = (name: string) =>
    headers.filter(([each]) => each === name).map(([, value]) => value)
  return { body, cookies: valuesOf('set-cookie'), caching: valuesOf('cache-control') }
}

test('an endpoint reads and sets cookies, and reads headers', async () => {
  const responded = await respondAt(async () => {
    const store = await cookies()
    store.set('seen', '1', { httpOnly: true })
    const plan = (await headers()).get('x-plan')
    return { status: 200, headers: [], body: `${store.get('user')?.value} ${plan}` }
  })
  expect(responded.body).toBe('ada l pro')
  expect(responded.cookies).toEqual([expect.stringMatching(/^seen=1;.*HttpOnly/)])
  expect(responded.caching).toEqual(['private, no-store'])
})

test('an endpoint that reads cookies gets a private response unless it sets cache-control', async () => {
  const read = (lines: HeaderLines) => async () => {
    await cookies()
    return { status: 200, headers: lines, body: '' }
  }
  expect((await respondAt(read([]))).caching).toEqual(['private, no-store'])
  const shared: HeaderLines = [['cache-control', 'public, max-age=60']]
  expect((await respondAt(read(shared))).caching).toEqual(['public, max-age=60'])
  const readsNothing = async () => ({ status: 200, headers: [], body: '' })
  expect((await respondAt(readsNothing)).caching).toEqual([])
})

test('a task of an endpoint runs after its response, and its error is reported', async () => {
  const report = vi.fn(() => 'digest')
  const thrown = new Error('after')
  await respondAt(
    async () => {
      after(() => Promise.reject(thrown))
      return { status: 204, headers: [], body: null }
    },
    { report },
  )
  await expect.poll(() => report.mock.calls.length).toBe(1)
  expect(report).toHaveBeenCalledWith(thrown, expect.objectContaining({ phase: 'route-handler' }))
})

test('an endpoint that redirects sends the cookies that it set', async () => {
  const { cookies: lines } = await respondAt(async () => {
    ;(await cookies()).delete('user')
    redirect('/login')
  })
  expect(lines).toEqual([expect.stringMatching(/^user=;/)])
})

test('a dynamic URL is matched once', async () => {
  const { port, match } = await serve()
  expect((await send(port, '/api?a=b')).body).toContain('handled')
  expect(match).toHaveBeenCalledTimes(1)
})

test('a URL without a route is matched once, and gets the 404 page of the build', async () => {
  const { port, match } = await serve()
  const answer = await send(port, '/nowhere?a=b')
  expect([answer.status, answer.body]).toEqual([404, 'nothing here'])
  expect(answer.headers.get('content-type')).toBe('text/html')
  expect(match).toHaveBeenCalledTimes(1)
})

test('an action on an intercepted page is called only if proxy.ts lets that page pass', async () => {
  const files = ['layout.tsx', 'default.tsx', 'admin/page.tsx', 'photo/page.tsx']
  const tree = buildRouteTree([...files, '@modal/default.tsx', '@modal/(.)photo/page.tsx'])
  const decide = vi.fn(async () => {
    throw new SignalError({ kind: 'fallback', status: 403 })
  })
  const load = vi.fn()
  const find = (id: string) => ({ id, files: ['admin/page.tsx'] })
  const app = {
    ...appOf(createMatcher(tree)),
    // Pass the path of the action's page, not the URL that the form is posted to.
    proxy: { matches: (pathname: string) => pathname === '/admin', decide },
    actions: { isEmpty: false, find, load },
    actionSettings: { allowedOrigins: [] },
    logForeign: () => {},
  } as unknown as HandlerApp
  const headers = {
    'waymark-action': 'a#remove',
    'waymark-from': '/admin',
    'content-type': 'text/plain;charset=UTF-8',
  }
  const posted = new Request('http://site.test/photo', { method: 'POST', headers, body: '[]' })
  const answer = await createHandler(app)(toServerRequest(posted))
  expect(decide).toHaveBeenCalledWith(expect.objectContaining({ pathname: '/admin' }))
  expect(load).not.toHaveBeenCalled()
  expect(answer.status).toBe(409)
})

test('only a GET is a probe, and a POST reaches its route', async () => {
  const { port } = await serve()
  const accept = `accept: ${probeType}`
  expect((await send(port, '/api', [accept])).headers.get('content-type')).toBe(probeType)
  expect((await send(port, '/api', [accept, 'content-length: 0'], 'POST')).status).toBe(405)
})

test('an endpoint that throws gets a 500 with a digest and without the message', async () => {
  const report = vi.fn(() => 'digest-1')
  const app = {
    ...appOf(createMatcher(buildRouteTree(['layout.tsx', 'page.tsx']))),
    report,
    screens: { localeOf: () => english },
    endpoints: [
      {
        path: '/_waymark/a',
        handle: async () => {
          throw new Error('the secret')
        },
      },
    ],
  } as unknown as HandlerApp
  const request = new Request('http://site.test/_waymark/a?b', {
    headers: { accept: 'application/json' },
  })
  const response = await createHandler(app)(toServerRequest(request))
  expect(response.status).toBe(500)
  expect(response.headers).toContainEqual(['x-waymark-digest', 'digest-1'])
  expect(response.body).not.toContain('the secret')
  expect(report).toHaveBeenCalledOnce()
})
