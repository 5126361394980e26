import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { createCache } from '../../../waymark/src/cache/cache.ts'
import { createDependencyTracker } from '../../../waymark/src/cache/cacheLife.ts'
import { createMemoryDriver } from '../../../waymark/src/cache/memoryCacheDriver.ts'
import { toServerRequest } from '../../../waymark/src/http/web.ts'
import {
  createHashSender,
  createIsCredential,
} from '../../../waymark/src/rsc/action/credentials.ts'
import { createKeyRing } from '../../../waymark/src/rsc/action/encryption.ts'
import { createFollowedPage } from '../../../waymark/src/rsc/page/followedPage.ts'
import { createScope } from '../../../waymark/src/rsc/request/scope.ts'
import { maxPages, maxRequestBytes } from '../shared/messages.ts'
import { readRow } from '../shared/subscriptionRow.ts'
import { createLive } from './createLive.ts'

const secret = 'a secret of the tests, long enough'

const origin = 'https://site.test'
const fromSameOrigin = { 'sec-fetch-site': 'same-origin' }

function create() {
  const memory = createMemoryDriver()
  const cache = createCache({ memory, report() {} })
  const sealer = () => createKeyRing([secret])
  const hashSender = createHashSender(createIsCredential([]))
  const live = createLive({ cache, memory, sealer, hashSender })

  /** Renders a page that reads tags. @returns the page's subscription */
  function render(tags: readonly string[], { cookie = '' } = {}): string {
    const headers: Record<string, string> = cookie ? { cookie } : {}
    const request = toServerRequest(new Request(`${origin}/board`, { headers }))
    const life = createDependencyTracker(true)
    const url = { pathname: '/board', search: '' }
    const scope = createScope({ request, url, phase: 'render', life, onAfterError: () => '' })
    if (cookie) scope.usage.reason = 'cookies()'
    const page = createFollowedPage(scope, [{ module: { live: true } }])
    const { lastRow } = live.followPage(page)
    life.add({ tags, revalidateSeconds: null, expireSeconds: null })
    return readRow(`0:{}\n${lastRow()}`)?.sealed ?? ''
  }

  async function post(
    body: unknown,
    { headers = {}, client = '203.0.113.1', method = 'POST' }: Partial<Sent> = {},
  ) {
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    const init = method === 'GET' ? {} : { body: text }
    const request = new Request(`${origin}/_waymark/live`, {
      method,
      headers: { ...fromSameOrigin, ...headers },
      ...init,
    })
    const sent = { ...toServerRequest(request), remoteAddress: client }
    const response = await live.endpoints[0]?.handle(sent)
    return response as NonNullable<typeof response>
  }
  const ask = async (pages: readonly string[], sent: Partial<Sent> = {}) => {
    const { from, ...state } = JSON.parse(String((await post({ pages, wait: false }, sent)).body))
    expect(from).toMatch(/^[0-9a-f]{8}$/)
    return state
  }
  return { cache, render, post, ask, live }
}

type Sent = Record<'client' | 'method', string> & { readonly headers: Record<string, string> }

test('followed and invalidated tags are published to listeners in the process', async () => {
  const { cache, render } = create()
  const events: unknown[] = []
  const listener = (event: unknown) => void events.push(event)
  subscribe('waymark:live', listener)
  render(['notes'])
  await cache.invalidate(['notes'], 'expired')
  unsubscribe('waymark:live', listener)
  render(['unheard'])
  const tags = expect.arrayContaining(['notes'])
  expect(events).toEqual([
    { type: 'live', pathname: '/board', tags },
    { type: 'change', tags },
  ])
})

describe('changes', () => {
  test('a page learns that a tag that it has read was invalidated since', async () => {
    const { cache, render, ask } = create()
    const page = render(['notes'])
    expect(await ask([page])).toEqual({ changed: [], gone: [] })
    await cache.invalidate(['others'], 'stale')
    expect(await ask([page])).toEqual({ changed: [], gone: [] })
    await cache.invalidate(['notes'], 'stale')
    expect(await ask([page, render(['notes'])])).toEqual({ changed: [0], gone: [] })
  })

  test('a page learns no names of tags, and nothing from which they could be guessed', () => {
    const { render } = create()
    const page = render(['a-name-that-nobody-may-learn'])
    expect(page).not.toContain('a-name')
    expect(Buffer.from(page, 'base64url').toString('latin1')).not.toContain('a-name')
  })
})

describe('validation and limits', () => {
  test('a subscription that this app has not sealed is rejected', async () => {
    const { ask, render } = create()
    const page = render(['notes'])
    const other = createKeyRing(['another secret of the tests, long enough'])
    const forged = other.seal(Buffer.from('[["notes"],"0","",null]'), 'live page')
    const otherPurpose = createKeyRing([secret]).seal(
      Buffer.from('[["notes"],"0","",null]'),
      'draft',
    )
    const changed = `${page.slice(0, -4)}AAAA`
    for (const hostile of [forged, otherPurpose, changed, '', 'x', '{}', 'A'.repeat(5_000)]) {
      expect(await ask([hostile])).toEqual({ changed: [], gone: [0] })
    }
  })

  test('a private page only waits for its own user, and not forever', async () => {
    const { ask, render } = create()
    const headers = { cookie: 'session=ada' }
    const page = render(['notes'], headers)
    expect(await ask([page], { headers })).toEqual({ changed: [], gone: [] })
    expect(await ask([page], { headers: { cookie: 'session=eve' } })).toEqual({
      changed: [],
      gone: [0],
    })
    expect(await ask([page])).toEqual({ changed: [], gone: [0] })
    vi.useFakeTimers({ now: Date.now() + 16 * 60_000 })
    expect(await ask([page], { headers })).toEqual({ changed: [], gone: [0] })
  })
  afterEach(() => void vi.useRealTimers())

  test('a request that our pages do not send is refused', async () => {
    const { post } = create()
    const status = async (body: unknown, sent?: Partial<Sent>) => (await post(body, sent)).status
    const liveRequest = { pages: [], wait: false }
    expect(await status(liveRequest, { method: 'GET' })).toBe(405)
    expect(await status(liveRequest, { headers: { 'sec-fetch-site': 'cross-site' } })).toBe(403)
    expect(await status(liveRequest, { headers: { 'sec-fetch-site': 'same-site' } })).toBe(403)
    const hostile = [
      '',
      '{',
      'null',
      '[]',
      '"x"',
      '{"pages":{},"wait":false}',
      '{"pages":[],"wait":1}',
      { pages: [1], wait: false },
      { pages: [['x']], wait: true },
      { pages: Array.from({ length: maxPages + 1 }, () => 'x'), wait: true },
    ]
    for (const body of hostile) expect(await status(body)).toBe(400)
    expect(await status('x'.repeat(maxRequestBytes + 1))).toBe(413)
  })

  test('a flood from one address is refused without affecting others', async () => {
    const { post } = create()
    const liveRequest = { pages: [], wait: false }
    const statuses = await Promise.all(Array.from({ length: 400 }, () => post(liveRequest)))
    expect(statuses.filter(({ status }) => status === 429).length).toBeGreaterThan(100)
    expect((await post(liveRequest, { client: '203.0.113.2' })).status).toBe(200)
  })

  test('the connections of one address are limited, and closing some makes room', async () => {
    const { post } = create()
    const liveRequest = { pages: [], wait: true }
    const open = []
    for (let at = 0; at < 200; at++) open.push(await post(liveRequest))
    // Advance the clock by a minute, because the address has also used up its rate limit.
    vi.useFakeTimers({ now: Date.now() + 60_000 })
    expect((await post(liveRequest)).status).toBe(503)
    expect((await post(liveRequest, { client: '203.0.113.2' })).status).toBe(200)
    for (const { body } of open) (body as { end?(): void } | null)?.end?.()
    expect((await post(liveRequest)).status).toBe(200)
  })

  test('a change from outside needs the secret, which must be long', async () => {
    const { post, ask, render } = create()
    const page = render(['notes'])
    const tell = async (token: string, body: unknown) =>
      (
        await post(body, {
          headers: { 'sec-fetch-site': 'none', authorization: `Bearer ${token}` },
        })
      ).status
    const tags = { tags: ['notes'] }
    vi.stubEnv('WAYMARK_LIVE_SECRET', '')
    expect(await tell('', tags)).toBe(403)
    expect(await tell('x', tags)).toBe(401)
    vi.stubEnv('WAYMARK_LIVE_SECRET', 'short')
    expect(await tell('short', tags)).toBe(401)
    vi.stubEnv('WAYMARK_LIVE_SECRET', secret)
    expect(await tell('guess', tags)).toBe(401)
    for (const hostile of [
      '',
      '{}',
      { tags: [] },
      { tags: 'notes' },
      { tags: [1] },
      { tags: [''] },
    ])
      expect(await tell(secret, hostile)).toBe(400)
    expect(await ask([page])).toEqual({ changed: [], gone: [] })
    expect(await tell(secret, tags)).toBe(204)
    expect(await ask([page])).toEqual({ changed: [0], gone: [] })
    vi.unstubAllEnvs()
  })

  test('a bearer token that a proxy adds to requests of pages is ignored', async () => {
    const { ask, render } = create()
    const headers = { authorization: 'Bearer of the proxy' }
    expect(await ask([render(['notes'])], { headers })).toEqual({ changed: [], gone: [] })
  })

  test('tags on all connections are limited, and further pages follow everything', async () => {
    const { post, render, cache } = create()
    const crowded = Array.from({ length: 400 }, (_, at) => `tag${at}`)
    const pages = Array.from({ length: 30 }, () => render(crowded))
    vi.useFakeTimers()
    const { body } = await post({ pages, wait: true })
    const reader = (body as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]()
    await reader.next()
    const changedPlaces = async (tag: string) => {
      void cache.invalidate([tag], 'expired')
      await vi.advanceTimersByTimeAsync(100)
      const event = Buffer.from((await reader.next()).value ?? []).toString()
      return JSON.parse(event.slice('data: '.length)).changed
    }
    expect(await changedPlaces('tag1')).toHaveLength(30)
    // Connections with the unrelated tag are notified, too, because they follow everything.
    expect((await changedPlaces('of another page')).length).toBeGreaterThan(20)
    await reader.return?.()
  })
})

describe('positions', () => {
  test('a page that follows everything learns of any earlier change', async () => {
    const { cache, render, ask, live } = create()
    const many = Array.from({ length: 600 }, (_, at) => `tag${at}`)
    const page = render(many)
    expect(await ask([page])).toEqual({ changed: [], gone: [] })
    await cache.invalidate(['of another page'], 'stale')
    expect(await ask([page])).toEqual({ changed: [0], gone: [] })
    const position = { now: 7 }
    const freshnessByTags = () => 'fresh'
    live.attachCache({ position: () => position.now, freshnessByTags } as never)
    const otherProcess = create()
    otherProcess.live.attachCache({ position: () => position.now, freshnessByTags } as never)
    const theirs = otherProcess.render(many)
    expect(await ask([theirs])).toEqual({ changed: [], gone: [] })
    position.now++
    expect(await ask([theirs])).toEqual({ changed: [0], gone: [] })
  })

  test('a process knows its own changes before the driver does', async () => {
    const { cache, render, ask, live } = create()
    live.attachCache({ position: () => 7, freshnessByTags: () => 'fresh' } as never)
    const page = render(['notes'])
    void cache.invalidate(['notes'], 'expired')
    expect(await ask([page])).toEqual({ changed: [0], gone: [] })
    expect(await ask([render(['notes'])])).toEqual({ changed: [], gone: [] })
  })

  test('a change on its way to the driver also affects pages of other processes', async () => {
    const driver = { last: 0, now: 7 }
    const shared = {
      position: () => driver.now,
      freshnessByTags: ({ position }: { position: number }) =>
        position < driver.last ? 'expired' : 'fresh',
    }
    const { cache, ask, live } = create()
    const otherProcess = create()
    live.attachCache(shared as never)
    otherProcess.live.attachCache(shared as never)
    const before = otherProcess.render(['notes'])
    void cache.invalidate(['notes'], 'expired')
    expect(await ask([before])).toEqual({ changed: [0], gone: [] })
    Object.assign(driver, { last: 8, now: 8 })
    expect(await ask([before, otherProcess.render(['notes'])])).toEqual({ changed: [0], gone: [] })
  })

  test('a page that another process rendered asks once', async () => {
    const { ask } = create()
    const page = create().render(['notes'])
    expect(await ask([page])).toEqual({ changed: [0], gone: [] })
  })

  test('with a driver, a page of a build stays current until something is invalidated', async () => {
    const ofBuild = create().render(['notes'])
    const { ask, live } = create()
    let last = 0
    live.attachCache({
      position: () => 7,
      freshnessByTags: ({ position }: { position: number }) =>
        position < last ? 'stale' : 'fresh',
    } as never)
    expect(await ask([ofBuild])).toEqual({ changed: [], gone: [] })
    last = 5
    expect(await ask([ofBuild])).toEqual({ changed: [0], gone: [] })
  })
})
