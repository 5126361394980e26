import assert from 'node:assert/strict'
import type { TestedHost } from '../testedHost.ts'
import type { Case, CaseGroup } from './case.ts'
import { renderedNumber } from './testedPages.ts'

const guardedTargets = [
  '/vault',
  '/_waymark/data/vault.rsc',
  '/vault/',
  '/vault.html',
  '/vault/index.html',
  '/vau%6ct',
  '//vault',
  '/./vault',
  '/a/../vault',
  '/VAULT',
  '/prerendered/vault.html',
]

const privateTargets = [
  '/mine',
  '/_waymark/data/mine.rsc',
  '/mine/api',
  '/partial',
  '/vault',
  '/_waymark/data/vault.rsc',
  '/visit',
]

export const privacy: CaseGroup = {
  title: 'Guards and private responses',
  cases: [
    {
      name: 'a page that proxy.ts guards is closed at every spelling of its path',
      async run({ sendRaw }) {
        for (const target of guardedTargets) {
          const { text } = await sendRaw(target, { headers: { accept: 'text/html' } })
          assert.ok(!text.includes('secret of the vault'), `${target} shows the guarded page.`)
        }
      },
    },
    {
      name: 'a guarded page of the build is only for visitors whom proxy.ts admits',
      needs: ['requests'],
      async run({ send, read }) {
        const headers = { cookie: 'session=good' }
        const numbers = new Set<string>()
        for (let time = 0; time < 2; time++) {
          const page = await send('/vault', { headers })
          assert.match(page.headers.get('cache-control') ?? '', /private/)
          numbers.add(renderedNumber(await page.text()))
          const stranger = await send('/vault')
          assert.equal(stranger.status, 403)
          assert.doesNotMatch(await stranger.text(), /secret of the vault/)
        }
        numbers.add(renderedNumber(await read('/_waymark/data/vault.rsc', { headers })))
        assert.equal(numbers.size, 1, 'The page was rendered again.')
      },
    },
    ...privateTargets.map(isForOneClient),
    {
      name: 'a page to which a cookie is added is only for its client',
      needs: ['requests'],
      async run({ send }) {
        const page = await send('/visit')
        await page.body?.cancel()
        assert.match(page.headers.get('set-cookie') ?? '', /^visit=1/)
        assert.equal(page.headers.get('cache-control'), 'private, no-store')
      },
    },
    {
      name: "headers that a client forges don't change the app's origin",
      needs: ['requests'],
      async run({ read, origin }) {
        const headers = {
          forwarded: 'host=evil.example;proto=https',
          'x-forwarded-host': 'evil.example',
          'x-forwarded-proto': 'gopher',
          'x-forwarded-port': '1',
          'x-original-url': '/vault',
          'x-rewrite-url': '/vault',
        }
        const { url } = JSON.parse(await read('/request', { headers })) as { url: string }
        assert.equal(new URL(url).host, new URL(origin).host)
        assert.equal(new URL(url).pathname, '/request')
      },
    },
    {
      name: 'a request for a host that the app does not list gets a 400',
      needs: ['requests'],
      run: (host) => assertRefusesHosts(host, ['/visit', '/_waymark/data/visit.rsc', '/partial']),
    },
    {
      name: 'files and static pages are not sent for a host that the app does not list',
      needs: ['requests', 'headers'],
      run: (host) => assertRefusesHosts(host, ['/', '/_waymark/data.rsc', '/robots.txt']),
    },
  ],
}

async function assertRefusesHosts(
  { sendRaw, origin }: TestedHost,
  targets: readonly string[],
): Promise<void> {
  // On a platform, the balancer chooses the app by its host, so the request doesn't arrive.
  if (!/^https?:\/\/(?:localhost|127\.0\.0\.1):/.test(origin)) return
  for (const host of ['evil.example', 'conformance.example', '127.0.0.1.evil.example', 'a b']) {
    for (const target of targets) {
      const { status, text } = await sendRaw(target, { headers: { host } })
      assert.equal(status, 400, `${target} at the host ${host} has the status ${status}.`)
      assert.doesNotMatch(text, /rendered 0\.|Allow: \//)
    }
  }
  for (const host of ['a.conformance.example', 'A.conformance.example:81']) {
    assert.equal((await sendRaw('/', { headers: { host } })).status, 200)
  }
}

function isForOneClient(target: string): Case {
  return {
    name: `${target} of one client is never sent to another`,
    needs: ['requests'],
    async run(host) {
      const mark = Math.random().toString(36).slice(2)
      const ada = credentials(`ada${mark}`)
      const first = await host.send(target, { headers: ada })
      const etag = first.headers.get('etag') ?? '*'
      assert.equal(first.status, 200)
      await first.text()
      for (const init of variations(etag)) {
        await host.read(target, { ...init, headers: { ...ada, ...init.headers } })
        await assertLacks(host, target, { init, mark: `ada${mark}` })
        const bob = { ...credentials(`bob${mark}`), ...init.headers }
        await assertLacks(host, target, { init: { ...init, headers: bob }, mark: `ada${mark}` })
      }
    },
  }
}

async function assertLacks(
  { read }: TestedHost,
  target: string,
  { init, mark }: { readonly init: RequestInit; readonly mark: string },
): Promise<void> {
  const text = await read(target, init)
  assert.ok(!text.includes(mark), `Another client got the first client's ${target}.`)
}

function credentials(name: string): Record<string, string> {
  return { cookie: `session=good; name=${name}`, authorization: `Bearer ${name}` }
}

type Variation = { readonly method?: string; readonly headers?: Record<string, string> }

function variations(etag: string): readonly Variation[] {
  return [
    {},
    { method: 'HEAD' },
    { headers: { range: 'bytes=0-99999' } },
    { headers: { 'accept-encoding': 'br' } },
    { headers: { 'if-none-match': etag } },
    { headers: { 'if-none-match': etag, range: 'bytes=0-5', 'if-range': etag } },
    { headers: { 'if-modified-since': new Date(Date.now() + 86_400_000).toUTCString() } },
    { headers: { 'cache-control': 'only-if-cached' } },
  ]
}
