import { networkInterfaces } from 'node:os'
import { chromium } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { chromium as systemChromium } from '../scripts/workspace/systemTools.mjs'
import { startApp } from './harness/app.ts'
import { describeModes } from './harness/describeModes.ts'
import { rawRequest } from './harness/rawRequest.ts'

const slashes = `import { defineConfig } from 'vite'
import { waymark } from 'waymark/vite'

export default defineConfig({ plugins: [waymark({ basePath: '/docs', trailingSlash: true, security: { allowedHosts: ['*.named.example'] } })] })
`

const targets = [
  '/',
  '/docs',
  '/docs?x=1',
  '/docs/',
  '/docs/about',
  '//docs',
  '//',
  '/docsx/other',
  '/_waymark/data.rsc',
  '/docs/_waymark/data.rsc',
  '/docs/_waymark/dev/errors',
  '/@vite/client',
  '*',
  'http://[::1',
]

for (const files of [{}, { files: { 'vite.config.ts': slashes } }]) {
  const name = `the hosts of a dev server with basePath ${'files' in files ? 'and slashes' : ''}`
  describeModes(name, { app: 'basePath', ...files, modes: ['dev'] }, (served) => {
    const origin = () => served.url('')
    const evilHost = () => `evil.example:${new URL(origin()).port}`

    test.each(targets)('%s is refused for another host', async (target) => {
      const host = evilHost()
      const headers = { host, origin: `http://${host}` }
      expect((await rawRequest(origin(), target, { headers })).status).toBe(403)
      const call = {
        ...headers,
        'content-type': 'text/plain;charset=UTF-8',
        'waymark-action': 'a#b',
      }
      const options = { method: 'POST', headers: call, body: '[]' }
      expect((await rawRequest(origin(), target, options)).status).toBe(403)
    })

    test('a host is served if the app names it', async () => {
      const host = `a.named.example:${new URL(origin()).port}`
      const response = await rawRequest(origin(), '/docs/about', { headers: { host } })
      expect(response.status === 403).toBe(!('files' in files))
    })

    test('a host in the target counts, not the header', async () => {
      for (const path of ['/docs', '//docs', '']) {
        expect((await rawRequest(origin(), `http://${evilHost()}${path}`)).status).toBe(403)
      }
      const headers = { host: evilHost() }
      const outsideOfBase = await rawRequest(origin(), `${origin()}/docsx`, { headers })
      expect(outsideOfBase.status).toBe(404)
    })

    test('a foreign name that points here opens nothing in a browser', async () => {
      const browser = await chromium.launch({
        executablePath: systemChromium.find() ?? '',
        chromiumSandbox: false,
        args: ['--host-resolver-rules=MAP evil.example 127.0.0.1'],
      })
      onTestFinished(() => browser.close())
      const page = await browser.newPage()
      const opened = await page.goto(`http://${evilHost()}/docs`)
      expect(opened?.status()).toBe(403)
      const statuses = await page.evaluate(async () => {
        const post = { method: 'POST', body: '[]', headers: { 'waymark-action': 'a#b' } }
        const responses = [fetch('/docs'), fetch('/docs?x'), fetch('/x'), fetch('/docs', post)]
        return (await Promise.all(responses)).map(({ status }) => status)
      })
      expect(statuses).toEqual([403, 403, 403, 403])
    })
  })
}

const lanAddress = Object.values(networkInterfaces())
  .flatMap((addresses) => addresses ?? [])
  .find(({ family, internal }) => family === 'IPv4' && !internal)?.address

const failing = `export const dynamic = 'force-dynamic'

export default async function Page() {
  throw new Error('only for the developer')
}
`

test.skipIf(!lanAddress)(
  'others in the network see the app, but no data of its tools',
  async () => {
    const app = await startApp({
      app: 'basic',
      files: { 'app/failing/page.tsx': failing },
      mode: 'dev',
      args: ['--host', '0.0.0.0'],
    })
    onTestFinished(app.stop)
    const sameOrigin = { 'sec-fetch-site': 'same-origin' }
    const ask = async (host: string, path: string) => {
      const response = await fetch(`http://${host}:${app.port}${path}`, { headers: sameOrigin })
      return { status: response.status, text: await response.text() }
    }
    expect((await ask(`${lanAddress}`, '/')).status).toBe(200)
    const page = await ask('127.0.0.1', '/failing')
    expect(page.text).toContain('only for the developer')
    const list = await ask('127.0.0.1', '/_waymark/dev/errors')
    const [digest = ''] = /(?<=dev\/errors\/)[\w-]+/.exec(list.text) ?? []
    const tools = [
      '/_waymark/dev/errors',
      `/_waymark/dev/errors/${digest}`,
      `/_waymark/dev/errors/${digest}.json`,
      '/_waymark/devtools/',
      '/_waymark/devtools/errors',
      '/_waymark/devtools/cache',
      '/_waymark/devtools/faults',
      '/_waymark/devtools/route?pathname=/',
    ]
    for (const path of tools) {
      expect([path, (await ask('127.0.0.1', path)).status]).toEqual([path, 200])
      const refused = await ask(`${lanAddress}`, path)
      expect([path, refused.status]).toEqual([path, 403])
      expect(refused.text).not.toContain('only for the developer')
    }
    expect((await ask(`${lanAddress}`, '/__open-in-editor?file=/nowhere')).status).toBe(403)
    const seen = await ask(`${lanAddress}`, '/failing')
    expect(seen.status).toBe(500)
    expect(seen.text).not.toContain('only for the developer')
    app.edit('app/failing/page.tsx', () => 'export default function Page() { only for }')
    await expect
      .poll(async () => (await ask('127.0.0.1', '/failing')).text)
      .toContain('{ only for }')
    expect((await ask(`${lanAddress}`, '/failing')).text).not.toContain('{ only for }')
  },
)
