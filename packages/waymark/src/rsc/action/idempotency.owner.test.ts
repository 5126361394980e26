import { describe, expect, test, vi } from 'vitest'
import { createMemoryDriver } from '../../cache/memoryCacheDriver.ts'
import type { HandlerResponse } from '../../http/response.ts'
import { createIdempotency } from './idempotency.ts'
import { bounds, type From, from } from './testing/idempotentRequests.ts'

describe('a request with cookies', () => {
  const signedIn = (setCookies: readonly string[] = []) =>
    vi.fn(async (): Promise<HandlerResponse> => {
      const lines = setCookies.map((line): [string, string] => ['set-cookie', line])
      return { status: 200, headers: lines, body: 'of Alice' }
    })

  test.each<[string, From, From, (readonly string[])?]>([
    ['an anonymous sender', { cookie: 'session=alice' }, {}],
    ['another user', { cookie: 'session=alice' }, { cookie: 'session=bob' }],
    [
      'a sender with more cookies',
      { cookie: 'session=alice' },
      { cookie: 'session=alice; admin=1' },
    ],
    ['a user who was anonymous', {}, { cookie: 'session=bob' }],
    ['another authorization', { authorization: 'Basic a' }, { authorization: 'Basic b' }],
    [
      'an anonymous sender after a sign-out',
      { cookie: 'session=alice' },
      {},
      ['session=; Max-Age=0'],
    ],
    ['another user after a sign-in', {}, { cookie: 'session=bob' }, ['session=alice']],
    ['a cookie that was set for another path', {}, { cookie: 'a=1' }, ['a=1; Path=/elsewhere']],
  ])('is refused for %s, and does not run', async (_, first, other, setCookies) => {
    const { once } = createIdempotency({ bounds })
    const run = signedIn(setCookies)
    const done = once(from(first), run)
    expect(await once(from(other), run)).toBe('other-credentials')
    await done
    expect(await once(from(other), run)).toBe('other-credentials')
    expect(run).toHaveBeenCalledOnce()
    expect(await once(from(first), run)).toMatchObject({ status: 200 })
  })

  test.each<[string, From, From, (readonly string[])?]>([
    ['the same cookies', { cookie: 'session=alice; a=1' }, { cookie: 'a=1; session=alice' }],
    [
      'the cookies that its response set',
      {},
      { cookie: 'session=alice' },
      ['session=alice; HttpOnly'],
    ],
    [
      'the cookies that its response changed',
      { cookie: 'session=alice; flash=1' },
      { cookie: 'session=alice-2' },
      ['session=alice-2', 'flash=; Max-Age=0'],
    ],
    ['changed analytics cookies', { cookie: 'session=alice' }, { cookie: 'session=alice; _ga=1' }],
  ])('is repeated for %s', async (_, first, again, setCookies) => {
    const { once } = createIdempotency({ bounds })
    const run = signedIn(setCookies)
    await once(from(first), run)
    const answer = await once(from(again), run)
    expect(answer).toMatchObject({ headers: expect.arrayContaining([['waymark-replayed', '1']]) })
    expect(run).toHaveBeenCalledOnce()
  })

  test('can be repeated although proxy.ts renews the session with each request', async () => {
    const { once } = createIdempotency({ bounds })
    const run = signedIn(['session=s1'])
    await once(from({ cookie: 'session=s0', setCookies: ['session=s1'] }), run)
    for (const at of [1, 2, 3]) {
      const renewed = { cookie: `session=s${at}`, setCookies: [`session=s${at + 1}`] }
      expect(await once(from(renewed), run)).toMatchObject({ status: 200 })
    }
    expect(await once(from({ cookie: 'session=s5' }), run)).toBe('other-credentials')
    expect(run).toHaveBeenCalledOnce()
  })

  test('belongs to its sender on other replicas, too, whoever asks there first', async () => {
    const store = createMemoryDriver()
    const one = createIdempotency({ bounds })
    const two = createIdempotency({ bounds })
    for (const each of [one, two]) each.attach(store)
    const run = signedIn(['a=1'])
    const first = one.once(from({ cookie: 'session=alice' }), async () => {
      await new Promise((resolve) => setTimeout(resolve, 30))
      return run()
    })
    const bob = { cookie: 'session=bob' }
    const stolen = Promise.all([two.once(from(bob), run), two.once(from(bob), run)])
    await first
    expect(await stolen).toEqual(['other-credentials', 'other-credentials'])
    expect(await two.once(from({}), run)).toBe('other-credentials')
    for (const cookie of ['session=alice', 'session=alice; a=1']) {
      const answer = (await two.once(from({ cookie }), run)) as HandlerResponse
      expect(String(answer.body)).toBe('of Alice')
    }
    expect(run).toHaveBeenCalledOnce()
  })
})
