import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildApp } from './harness/appFolder.ts'
import { openPage } from './harness/page.ts'
import { rawRequest } from './harness/rawRequest.ts'
import { startVercel, type VercelServer } from './harness/vercel/startVercel.ts'

const config = (options = '', seconds = 30) => `import { vercel } from '@waymark/vercel'
import { waymark } from 'waymark/vite'

export default { plugins: [waymark({ adapter: vercel({ maxDuration: ${seconds} }), ${options} })] }
`

// Guards pages and their data by proxy.ts. It doesn't run for files in `public/`.
const guardedFiles = {
  'proxy.ts': `import { forbidden } from 'waymark'
import { cookies, next } from 'waymark/server'

export const config = { matcher: ['/vault', '/team/:path*'] }

export default async function proxy() {
  const jar = await cookies()
  return jar.get('session')?.value === 'good' ? next() : forbidden()
}
`,
  'app/team/page.tsx': 'export default () => <h1>for members only</h1>\n',
  'app/team/plans/page.tsx': 'export default () => <h1>for members only</h1>\n',
  'app/vault/page.tsx': 'export default () => <h1>for members only</h1>\n',
  'app/draft/route.ts': `import { draftMode } from 'waymark/server'

export async function GET() {
  const draft = await draftMode()
  draft.enable()
  return new Response('on')
}
`,
  'app/address/route.ts': `import { headers } from 'waymark/server'

export async function GET(request: Request) {
  const all = await headers()
  const names = ['x-forwarded-for', 'x-real-ip', 'x-forwarded-host', 'x-forwarded-proto']
  return Response.json([request.url, ...names.map((name) => all.get(name))])
}
`,
}

const allFiles = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))

describe('an app on Vercel', () => {
  let root = ''
  let server: VercelServer
  beforeAll(async () => {
    root = await buildApp({
      app: 'conformance',
      files: { ...guardedFiles, 'vite.config.ts': config() },
    })
    server = await startVercel(root)
  })
  afterAll(() => server?.stop())

  const get = (path: string, init?: RequestInit) =>
    fetch(`${server.origin}${path}`, { redirect: 'manual', ...init })

  test('the CDN gets static pages, and nothing that proxy.ts guards', () => {
    const folder = join(root, '.vercel/output/static')
    const files = allFiles(folder)
    const names = files.map((file) => file.slice(folder.length + 1))
    expect(names).toEqual(
      expect.arrayContaining([
        'robots.txt',
        '_waymark/pages/_',
        '_waymark/pages/about/_',
        '_waymark/pages/_waymark/data.rsc/_',
      ]),
    )
    expect(names.filter((name) => /vault|team|secret|timed|tagged|partial/.test(name))).toEqual([])
    const texts = files.map((file) => readFileSync(file, 'utf8'))
    expect(texts.filter((text) => text.includes('for members only'))).toEqual([])
  })

  test.each([
    '/vault',
    '/team',
    '/team/plans',
    '/_waymark/data/team/plans.rsc',
    '/_waymark/pages/vault/_',
    '/_waymark/pages/team/plans/_',
    '/prerendered/vault.html',
    '/_waymark/function/prerendered/vault.html',
    '/_waymark/function.func/prerendered/vault.html',
    '/VAULT',
    '/team/plans/',
    '/team/pl%61ns',
    '/./team/plans',
    '/x/../team/plans',
    '//team/plans',
    '/team%2Fplans',
    '/_waymark/pages/%74eam/plans/_',
  ])('%s is closed without permission', async (path) => {
    const answer = await rawRequest(server.origin, path)
    expect(answer.body).not.toContain('for members only')
    expect(answer.status).toBeGreaterThanOrEqual(300)
  })

  test.each(['/vault', '/team/plans', '/_waymark/data/team/plans.rsc'])(
    '%s is open with permission',
    async (path) => {
      const response = await get(path, { headers: { cookie: 'session=good' } })
      expect([response.status, await response.text()]).toEqual([
        200,
        expect.stringContaining('for members only'),
      ])
    },
  )

  test('a static page has the type and the headers of the build', async () => {
    const page = await get('/about')
    expect(Object.fromEntries(page.headers)).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'public, max-age=0, must-revalidate',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'SAMEORIGIN',
      'waymark-build': expect.any(String),
    })
    const feed = await get('/feed.xml')
    expect([feed.headers.get('content-type'), await feed.text()]).toEqual([
      'application/xml',
      '<feed/>',
    ])
    const old = await get('/old')
    expect([old.status, old.headers.get('location')]).toEqual([308, '/about'])
    expect((await get('/about/')).headers.get('location')).toBe('/about')
    expect((await get('/ABOUT')).status).toBe(404)
  })

  // There, the pages have none of their headers, such as those against framing.
  test.each([
    '/_waymark/pages/about/_',
    '/_waymark/pages/_',
    '/_WAYMARK/pages/about/_',
    '/%5fwaymark/pages/about/_',
    '/_waymark/p%61ges/about/_',
    '//_waymark/pages/about/_',
    '/x/../_waymark/pages/about/_',
    '/_waymark/./pages/about/_',
  ])('no page is at the path of its file: %s', async (path) => {
    const { status, body } = await rawRequest(server.origin, path)
    expect(status).toBeGreaterThanOrEqual(300)
    expect(body).not.toContain('<h1>About</h1>')
  })

  test('scripts are immutable, and a missing script is not', async () => {
    const [script = ''] = /\/_waymark\/assets\/[^"]+\.js/.exec(await (await get('/')).text()) ?? []
    const found = await get(script)
    expect([found.headers.get('cache-control'), found.headers.get('content-type')]).toEqual([
      'public, max-age=31536000, immutable',
      'text/javascript; charset=utf-8',
    ])
    const missing = await get('/_waymark/assets/none.js')
    expect([missing.status, missing.headers.get('cache-control')]).toEqual([404, 'no-store'])
    expect((await get('/robots.txt', { method: 'POST' })).status).toBe(405)
  })

  test("a page of the page cache is not stored by the CDN, which revalidation doesn't reach", async () => {
    expect((await get('/tagged')).headers.get('vercel-cdn-cache-control')).toBe('no-store')
    expect((await get('/search')).headers.get('vercel-cdn-cache-control')).toBeNull()
  })

  test('draft mode renders static pages again', async () => {
    const rendered = async (init?: RequestInit) => {
      const response = await get('/', init)
      return /rendered (0\.\d+)/.exec(await response.text())?.[1]
    }
    const [cookie = ''] = (await get('/draft')).headers.getSetCookie()
    const built = await rendered()
    const headers = { cookie: cookie.split(';')[0] ?? '' }
    expect(headers.cookie).toMatch(/^__waymark_draft=./)
    expect(await rendered({ headers })).not.toBe(built)
    expect(await rendered()).toBe(built)
  })

  test('the address of the client comes from Vercel, whatever the client sends', async () => {
    const forged = {
      'x-forwarded-for': '198.51.100.1',
      'x-real-ip': '198.51.100.1',
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'https',
    }
    const { host } = new URL(server.origin)
    expect(await (await get('/address', { headers: forged })).json()).toEqual([
      `${server.origin}/address`,
      '203.0.113.7',
      '203.0.113.7',
      host,
      'http',
    ])
  })

  test.each(['//evil.example/', '/\\evil.example/'])(
    'the target %s is a path of the app',
    async (target) => {
      const { status, headers } = await rawRequest(server.origin, target)
      expect(status).toBeLessThan(500)
      expect(headers.get('location') ?? '/').toMatch(/^\/(?!\/)/)
    },
  )

  test('a request that Request refuses gets a 400', async () => {
    expect((await rawRequest(server.origin, '/search', { method: 'TRACE' })).status).toBe(400)
  })
})

test('a base path, and slashes at the end of URLs', async () => {
  const root = await buildApp({
    app: 'conformance',
    files: { 'vite.config.ts': config("basePath: '/docs', trailingSlash: true") },
  })
  const server = await startVercel(root)
  try {
    const folder = join(root, '.vercel/output/static')
    const names = allFiles(folder).map((file) => file.slice(folder.length + 1))
    expect(names).toContain('_waymark/pages/docs/about/_')
    const get = (path: string) => fetch(`${server.origin}${path}`, { redirect: 'manual' })
    for (const path of ['/docs/', '/docs/about/', '/docs/robots.txt', '/docs/search/']) {
      expect([path, (await get(path)).status]).toEqual([path, 200])
    }
    expect((await get('/docs/about')).headers.get('location')).toBe('/docs/about/')
    expect((await get('/about/')).status).toBe(404)
    const { page } = await openPage({ origin: server.origin })
    await page.goto('/docs/')
    await page.getByRole('link', { name: 'about' }).click()
    await page.getByRole('heading', { name: 'About' }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/docs/about/')
  } finally {
    await server.stop()
  }
})

describe('a function on Vercel', () => {
  let server: VercelServer
  beforeAll(async () => {
    const files = { 'vite.config.ts': config('', 4) }
    server = await startVercel(await buildApp({ app: 'lambda', files }))
  })
  afterAll(() => server?.stop())
  const get = (path: string, init?: RequestInit) => fetch(`${server.origin}${path}`, init)

  test('streams a page', async () => {
    const reader = (await get('/stream')).body?.pipeThrough(new TextDecoderStream()).getReader()
    let text = ''
    while (!text.includes('The first part')) text += (await reader?.read())?.value
    expect(text).not.toContain('The second part')
    for (let piece = await reader?.read(); piece?.done === false; piece = await reader?.read()) {
      text += piece.value
    }
    expect(text).toContain('The second part')
  })

  test('runs the action of a form, and sets its cookie', async () => {
    const { page } = await openPage({ origin: server.origin }, { javaScriptEnabled: false })
    await page.goto('/form')
    await page.getByLabel('Name').fill('Ada')
    await page.getByRole('button', { name: 'Rename' }).click()
    await page.getByRole('heading', { name: 'Hello Ada' }).waitFor()
  })

  test('does work after the response with the help of waitUntil', async () => {
    const startedAtMs = performance.now()
    await (await get('/slow?after=1500')).text()
    expect(performance.now() - startedAtMs).toBeLessThan(1_200)
    const pendingWork = async () => (await get('/pending-work')).text()
    expect(await pendingWork()).not.toBe('0')
    expect(server.logs()).not.toContain('after a slow response')
    await expect.poll(pendingWork, { timeout: 10_000 }).toBe('0')
    await expect.poll(() => server.logs()).toContain('after a slow response')
  })

  test('cuts a body that fails, and logs the error', async () => {
    const response = await get('/failing')
    await expect(response.text()).rejects.toThrow()
    await expect.poll(() => server.logs()).toContain('The body failed.')
  })

  test('ends an endless stream before the time limit', async () => {
    const startedAtMs = performance.now()
    expect(await (await get('/endless')).text()).toContain('data: "first"')
    expect(performance.now() - startedAtMs).toBeLessThan(4_000)
  })

  test('stops a stream whose client leaves, without an error', async () => {
    const logsBefore = server.logs()
    const leaving = new AbortController()
    const response = await get('/endless', { signal: leaving.signal })
    await response.body?.getReader().read()
    leaving.abort()
    expect((await get('/robots.txt')).status).toBe(200)
    expect(server.logs()).toBe(logsBefore)
  })
})

test("an App Router app's files that its proxy guards are not on the CDN", async () => {
  const root = await buildApp({
    app: 'lambda',
    files: {
      'vite.config.ts': `import { vercel } from '@waymark/vercel'
import { next } from 'next/vite'

export default { plugins: [next({ adapter: vercel() })] }
`,
      'proxy.ts': `import { NextResponse } from 'next/server'

export const config = { matcher: ['/private/:path*'] }

export function proxy(request) {
  const isMember = request.cookies.get('session')?.value === 'good'
  return isMember ? NextResponse.next() : new NextResponse('closed', { status: 403 })
}
`,
      'public/private/list.txt': 'for members only\n',
    },
  })
  const server = await startVercel(root)
  try {
    const texts = allFiles(join(root, '.vercel/output/static')).map((file) =>
      readFileSync(file, 'utf8'),
    )
    expect(texts.filter((text) => text.includes('for members only'))).toEqual([])
    for (const path of ['/private/list.txt', '/private/%6cist.txt', '/x/../private/list.txt']) {
      const { status, body } = await rawRequest(server.origin, path)
      expect([path, status, body]).toEqual([path, 403, 'closed'])
    }
    const headers = { cookie: 'session=good' }
    const open = await fetch(`${server.origin}/private/list.txt`, { headers })
    expect([open.status, await open.text()]).toEqual([200, 'for members only\n'])
  } finally {
    await server.stop()
  }
})
