import assert from 'node:assert/strict'
import type { CaseGroup } from './case.ts'
import { eventually, renderedNumber } from './testedPages.ts'

export const caching: CaseGroup = {
  title: 'Cached pages',
  cases: [
    {
      name: 'a page with a lifetime is cached, and rendered again afterwards',
      needs: ['requests'],
      async run({ send, read }) {
        const first = await send('/timed')
        assert.match(first.headers.get('cache-control') ?? '', /s-maxage=1/)
        const number = renderedNumber(await first.text())
        await eventually(async () => {
          assert.notEqual(renderedNumber(await read('/timed')), number)
        })
        await eventually(async () => {
          assert.notEqual(renderedNumber(await read('/_waymark/data/timed.rsc')), number)
        })
      },
    },
    {
      name: 'a cached page stays the same until its tag is invalidated',
      needs: ['requests'],
      async run({ send, read }) {
        const number = renderedNumber(await read('/tagged'))
        assert.equal(renderedNumber(await read('/tagged')), number)
        const invalidation = await send('/api?tag=prices', { method: 'POST', body: 'a' })
        assert.equal(invalidation.status, 201)
        await eventually(async () => {
          assert.notEqual(renderedNumber(await read('/tagged')), number)
        })
      },
    },
    {
      name: 'an invalidation reaches all instances',
      needs: ['requests', 'sharedState'],
      async run({ send, sendRaw, read }) {
        const before = renderedNumber(await read('/tagged'))
        await send('/api?tag=prices', { method: 'POST', body: 'a' })
        await eventually(async () => {
          assert.notEqual(renderedNumber(await read('/tagged')), before)
        })
        // Each request has a connection of its own, so that a balancer can choose any instance.
        const responses = await Promise.all(
          Array.from({ length: 40 }, () => sendRaw('/_waymark/data/tagged.rsc')),
        )
        const old = responses.filter(({ text }) => text.includes(before))
        assert.equal(old.length, 0, `${old.length} of 40 responses have the invalidated page.`)
      },
    },
    {
      name: 'work after the response runs to its end',
      needs: ['requests'],
      async run({ send, read }) {
        const mark = Math.random().toString(36).slice(2)
        await send('/api', { method: 'POST', body: mark })
        await eventually(async () => assert.match(await read('/api'), new RegExp(`after ${mark}`)))
      },
    },
  ],
}
