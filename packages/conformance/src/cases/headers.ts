import assert from 'node:assert/strict'
import type { TestedHost } from '../testedHost.ts'
import type { CaseGroup } from './case.ts'
import { findScript } from './testedPages.ts'

export const headers: CaseGroup = {
  title: 'Headers, conditions and ranges',
  cases: [
    {
      name: 'a static page has its headers, and is not sent twice',
      needs: ['headers'],
      async run({ send }) {
        const page = await send('/')
        await page.body?.cancel()
        const etag = page.headers.get('etag') ?? ''
        assert.match(etag, /^(?:W\/)?"[^"]+"$/)
        assert.equal(page.headers.get('content-type'), 'text/html; charset=utf-8')
        assert.equal(page.headers.get('cache-control'), 'public, max-age=0, must-revalidate')
        assert.equal(page.headers.get('x-content-type-options'), 'nosniff')
        const again = await send('/', { headers: { 'if-none-match': etag } })
        assert.deepEqual([again.status, await again.text()], [304, ''])
        const data = await send('/_waymark/data.rsc')
        await data.body?.cancel()
        assert.equal(data.headers.get('content-type'), 'text/x-component; charset=utf-8')
      },
    },
    {
      name: 'HEAD has the headers of GET and no body',
      needs: ['headers'],
      async run({ send }) {
        const head = await send('/', { method: 'HEAD' })
        assert.deepEqual([head.status, await head.text()], [200, ''])
        assert.equal(head.headers.get('content-type'), 'text/html; charset=utf-8')
      },
    },
    {
      name: 'assets may be cached for a year, and accept no POST',
      needs: ['headers'],
      async run(host) {
        const script = await findScript(host)
        const asset = await host.send(script)
        await asset.body?.cancel()
        assert.equal(asset.headers.get('cache-control'), 'public, max-age=31536000, immutable')
        const etag = asset.headers.get('etag') ?? ''
        const again = await host.send(script, { headers: { 'if-none-match': etag } })
        assert.equal(again.status, 304)
        const posted = await host.send('/robots.txt', { method: 'POST' })
        await posted.body?.cancel()
        assert.equal(posted.status, 405)
      },
    },
    {
      name: 'several Set-Cookie lines stay separate',
      needs: ['requests'],
      async run({ send }) {
        const { headers } = await send('/request')
        assert.deepEqual(headers.getSetCookie(), [
          'first=1; Path=/',
          'second=a%2Cb; Path=/; Expires=Wed, 01 Jan 2031 00:00:00 GMT',
        ])
      },
    },
    {
      name: 'files and pages are sent compressed to clients that accept it',
      needs: ['compression'],
      async run(host) {
        for (const target of ['/', '/_waymark/data.rsc', await findScript(host)]) {
          const plain = await host.send(target, { headers: { 'accept-encoding': 'identity' } })
          assert.equal(plain.headers.get('content-encoding'), null)
          assert.match(plain.headers.get('vary') ?? '', /accept-encoding/i)
          const whole = await plain.text()
          for (const accepted of ['gzip, deflate, br', 'br;q=0.5, gzip', 'identity;q=0, br']) {
            const coded = await host.send(target, { headers: { 'accept-encoding': accepted } })
            assert.match(coded.headers.get('content-encoding') ?? '', /^(?:br|gzip)$/)
            assert.match(coded.headers.get('vary') ?? '', /accept-encoding/i)
            assert.equal(await coded.text(), whole)
          }
        }
      },
    },
    {
      name: 'each encoding of a page has its own entity tag',
      needs: ['compression', 'headers'],
      async run({ send }) {
        const tags = new Set<string>()
        for (const encoding of ['identity', 'gzip', 'br']) {
          const headers = { 'accept-encoding': encoding }
          const page = await send('/', { headers })
          await page.body?.cancel()
          const etag = page.headers.get('etag') ?? ''
          tags.add(etag)
          const again = await send('/', { headers: { ...headers, 'if-none-match': etag } })
          assert.equal(again.status, 304)
          const head = await send('/', { method: 'HEAD', headers })
          assert.equal(head.headers.get('etag'), etag)
        }
        assert.equal(tags.size, 3)
      },
    },
    {
      name: 'a range of a page is sent alone',
      needs: ['headers'],
      run: (host) => assertRanges(host, '/'),
    },
    {
      name: 'a range of a file is sent alone',
      needs: ['headers', 'ranges'],
      async run(host) {
        await assertRanges(host, await findScript(host))
        await assertRanges(host, '/robots.txt')
      },
    },
    {
      name: 'a range of a changed file is not mixed with the new file',
      needs: ['headers', 'ranges'],
      async run({ send }) {
        const headers = { 'accept-encoding': 'identity', range: 'bytes=3-9', 'if-range': '"other"' }
        const { status } = await send('/robots.txt', { headers })
        assert.equal(status, 200)
      },
    },
    {
      name: 'a failed condition has no content of the page',
      needs: ['headers'],
      async run({ send }) {
        const page = await send('/')
        await page.body?.cancel()
        const refused = await send('/', { headers: { 'if-match': '"other"' } })
        assert.equal(refused.status, 412)
        assert.doesNotMatch(await refused.text(), /rendered 0\./)
        assert.equal(refused.headers.get('etag'), null)
        assert.equal(
          refused.headers.get('x-frame-options'),
          page.headers.get('x-frame-options'),
          'The refusal lacks the security headers of the page.',
        )
      },
    },
  ],
}

async function assertRanges({ send }: TestedHost, target: string): Promise<void> {
  const ask = (headers: Record<string, string>) =>
    send(target, { headers: { 'accept-encoding': 'identity', ...headers } })
  const whole = await ask({})
  const bytes = new Uint8Array(await whole.arrayBuffer())
  const etag = whole.headers.get('etag') ?? ''
  const size = bytes.length
  for (const [range, first, last] of [
    ['bytes=3-9', 3, 9],
    ['bytes=-4', size - 4, size - 1],
  ] as const) {
    const part = await ask({ range, 'if-range': etag })
    assert.equal(part.status, 206)
    assert.equal(part.headers.get('content-range'), `bytes ${first}-${last}/${size}`)
    assert.deepEqual(new Uint8Array(await part.arrayBuffer()), bytes.slice(first, last + 1))
  }
  const beyond = await ask({ range: `bytes=${size}-` })
  await beyond.body?.cancel()
  assert.equal(beyond.status, 416)
  assert.equal(beyond.headers.get('content-range'), `bytes */${size}`)
}
