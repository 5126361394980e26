import { describe, expect, test, vi } from 'vitest'
import { createMemoryDriver } from '../../waymark/src/cache/memoryCacheDriver.ts'
import { createCacheStore } from './cacheStore.ts'
import { createSessionOn, type SessionOptions, type StoredSessions } from './createSession.ts'
import { createFindDriver } from './platform.ts'
import type { SessionRow, SessionStore } from './sessionStore.ts'
import { createTestApp } from './testing/testBrowser.ts'

const initial = { cart: [] as string[], theme: 'light' }
type Data = typeof initial
const dayMs = 24 * 60 * 60_000
const device = { 'user-agent': 'Firefox' }

function createSealed(
  options: SessionOptions<Data> = {},
  settings: Parameters<typeof createTestApp>[0] = {},
) {
  const test = createTestApp(settings)
  return {
    ...test,
    storeOption: {},
    session: createSessionOn(test.app, { data: initial, ...options }),
  }
}

function createStored(options: SessionOptions<Data> = {}) {
  const test = createTestApp()
  const driver = createMemoryDriver({ now: test.app.now })
  const store = createCacheStore(() => driver)
  return {
    ...test,
    store,
    storeOption: { store },
    session: createSessionOn(test.app, { data: initial, store, ...options }),
  }
}

describe.each([
  ['sealed', createSealed],
  ['stored', createStored],
] as const)('%s sessions', (kind, create) => {
  test('a visitor has the initial data and no cookie', async () => {
    const { session, createBrowser } = create()
    const browser = createBrowser()
    expect(await browser.render(session.read)).toEqual({
      id: null,
      userId: null,
      data: initial,
      createdAtMs: null,
    })
    expect(browser.lines).toEqual([])
  })

  test('an action writes, the same response and later pages read', async () => {
    const { session, createBrowser } = create()
    const browser = createBrowser()
    const read = await browser.act(async () => {
      await session.update({ theme: 'dark' })
      return session.read()
    })
    expect(read.data).toEqual({ cart: [], theme: 'dark' })
    expect(await browser.render(session.read)).toEqual(read)
    await browser.act(() => session.update(({ cart }) => ({ cart: [...cart, 'tea'] })))
    expect((await browser.render(session.read)).data).toEqual({ cart: ['tea'], theme: 'dark' })
  })

  test('signing in changes id and cookie, and keeps only data of the visitor', async () => {
    const { session, createBrowser } = create()
    const browser = createBrowser()
    await browser.act(() => session.update({ cart: ['tea'] }))
    const planted = new Map(browser.jar)
    const visitor = await browser.render(session.read)
    await browser.act(() => session.signIn('ada', { data: { theme: 'dark' } }))
    const ada = await browser.render(session.read)
    expect(ada).toMatchObject({ userId: 'ada', data: { cart: ['tea'], theme: 'dark' } })
    expect(ada.id).not.toBe(visitor.id)
    // An attacker who planted the visitor's cookie is not signed in.
    const attacker = createBrowser()
    for (const [name, value] of planted) attacker.jar.set(name, value)
    expect((await attacker.render(session.read)).userId).toBeNull()
    await browser.act(() => session.signIn('eve'))
    expect(await browser.render(session.read)).toMatchObject({ userId: 'eve', data: initial })
  })

  test('signing out deletes the cookie', async () => {
    const { session, createBrowser } = create()
    const browser = createBrowser()
    await browser.act(() => session.signIn('ada'))
    await browser.act(session.signOut)
    expect(browser.jar.has('session')).toBe(false)
    expect(await browser.render(session.readUserId)).toBeNull()
  })

  test.each([
    ['signing out', async (session: StoredSessions<Data>) => session.signOut()],
    [
      'another sign-in',
      async (session: StoredSessions<Data>) => void (await session.signIn('eve')),
    ],
  ])('a change that arrives after %s does not bring the session back', async (_, end) => {
    const { session, createBrowser } = create()
    const browser = createBrowser()
    await browser.act(() => session.signIn('ada'))
    const slow = createBrowser()
    for (const [name, value] of browser.jar) slow.jar.set(name, value)
    const sent = slow.lines.length
    await slow.act(() => session.update({ theme: 'dark' }))
    await browser.act(() => end(session))
    browser.receive(slow.lines.slice(sent))
    expect(await browser.render(session.readUserId)).not.toBe('ada')
    await browser.act(() => session.signIn('ada'))
    expect(await browser.render(session.readUserId)).toBe('ada')
  })

  test.each(['update', 'signIn', 'signOut', 'flash'] as const)(
    '%s is refused while a page renders, and after the response',
    async (api) => {
      const { session, createBrowser } = create()
      const browser = createBrowser()
      await browser.act(() => session.signIn('ada'))
      const call = async () => {
        await (api === 'update' ? session.update({}) : session[api]('ada'))
      }
      for (const phase of ['render', 'prerender', 'after'] as const) {
        await expect(browser.run(phase, call)).rejects.toThrow(/called while a page was rendering/)
      }
      expect(await browser.render(session.readUserId)).toBe('ada')
    },
  )

  test('the server ends an unused session, although the browser still has the cookie', async () => {
    const { session, clock, createBrowser } = create({ idleSeconds: 1_000 })
    const browser = createBrowser()
    await browser.act(() => session.signIn('ada'))
    clock.nowMs += 999_000
    expect(await browser.render(session.readUserId)).toBe('ada')
    clock.nowMs += 1_001_000
    expect(browser.jar.size).toBeGreaterThan(0)
    expect(await browser.render(session.readUserId)).toBeNull()
  })

  test('use extends a session, at most until maxSeconds', async () => {
    const { session, clock, createBrowser } = create({ idleSeconds: 1_000, maxSeconds: 5_000 })
    const browser = createBrowser()
    await browser.act(() => session.signIn('ada'))
    const users: (string | null)[] = []
    for (let at = 0; at < 7; at++) {
      clock.nowMs += 800_000
      users.push(await browser.run('proxy', session.readUserId))
    }
    expect(users).toEqual(['ada', 'ada', 'ada', 'ada', 'ada', 'ada', null])
  })

  test.each([
    ['changed', (value: string) => `${value.slice(0, -2)}${value.endsWith('AA') ? 'BB' : 'AA'}`],
    ['truncated', (value: string) => value.slice(0, 20)],
    ['empty', () => ''],
    ['too long', (value: string) => value + 'A'.repeat(10_000)],
    ['not base64', () => '%00{}%F0%9F'],
    ['JSON', () => encodeURIComponent('{"userId":"ada"}')],
  ])('a cookie that is %s is no session', async (_, forge) => {
    const { session, createBrowser } = create()
    const browser = createBrowser()
    await browser.act(() => session.signIn('ada'))
    browser.jar.set('session', forge(browser.jar.get('session') ?? ''))
    expect(await browser.render(session.readUserId)).toBeNull()
  })

  test('a cookie of a session with another name or secret is no session', async () => {
    const { session, createBrowser, app } = create()
    const browser = createBrowser()
    const admin = createSessionOn(app, { name: 'admin' })
    await browser.act(() => admin.signIn('root'))
    browser.jar.set('session', browser.jar.get('admin') ?? '')
    browser.jar.set('session-flash', browser.jar.get('admin') ?? '')
    expect(await browser.render(session.readUserId)).toBeNull()
    expect(await browser.render(session.readFlash)).toEqual([])
  })

  test('of many cookies with the same name, only the first three are examined', async () => {
    const { session, createBrowser } = create()
    const browser = createBrowser()
    await browser.act(() => session.signIn('ada'))
    const valid = `session=${browser.jar.get('session')}`
    const read = (...others: string[]) =>
      createBrowser().render(session.readUserId, { headers: { cookie: others.join('; ') } })
    expect(await read('session=x', 'session=y', valid)).toBe('ada')
    expect(await read(...Array<string>(500).fill('session=x'), valid)).toBeNull()
  })

  test('data that is not JSON is refused with its place', async () => {
    const { session, createBrowser } = create()
    const dated = { cart: [new Date(0)] } as unknown as Partial<Data>
    await expect(createBrowser().act(() => session.update(dated))).rejects.toThrow(
      "can't store data.cart.0, which is a Date",
    )
  })

  test('code that changes the data it has read changes nothing for other visitors', async () => {
    const { session, createBrowser } = create()
    const add = async (item: string) => {
      const { data } = await session.read()
      data.cart.push(item)
      await session.update((stored) => {
        stored.cart.push(item)
        return stored
      })
    }
    const browser = createBrowser()
    await browser.act(() => add('tea'))
    expect((await browser.render(session.read)).data.cart).toContain('tea')
    expect((await createBrowser().render(session.read)).data).toEqual({ cart: [], theme: 'light' })
    await browser.act(() => session.update({ theme: 'dark' }))
    expect((await createBrowser().act(() => session.signIn('eve'))).data.cart).toEqual([])
  })

  test('fields that a new version of the app adds have their initial value', async () => {
    const { session, createBrowser, app, storeOption: store } = create()
    const browser = createBrowser()
    await browser.act(() => session.update({ theme: 'dark' }))
    const data = { ...initial, size: 12 }
    const next = createSessionOn(app, { data, ...store })
    expect((await browser.render(next.read)).data).toEqual({ cart: [], theme: 'dark', size: 12 })
    const parse = () => {
      throw new Error('too old')
    }
    await browser.act(() => session.signIn('ada'))
    const strict = createSessionOn(app, { data, parse, ...store })
    expect(await browser.render(strict.read)).toMatchObject({ userId: 'ada', data })
  })

  test('open connections are notified when validSinceMs ends their session', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    try {
      let sinceMs: number | null = null
      const { session, createBrowser, clock } = create({ validSinceMs: () => sinceMs })
      const browser = createBrowser()
      await browser.act(() => session.signIn('ada'))
      const listener = vi.fn()
      session.onEnd(await browser.run('route-handler', session.read), listener)
      await vi.advanceTimersByTimeAsync(10_000)
      expect(listener).not.toHaveBeenCalled()
      sinceMs = clock.nowMs + 1
      await vi.advanceTimersByTimeAsync(10_000)
      expect(listener).toHaveBeenCalledOnce()
    } finally {
      vi.useRealTimers()
    }
  })

  test('a session from before validSinceMs is invalid', async () => {
    let sinceMs: number | null = null
    const { session, createBrowser, clock } = create({ validSinceMs: () => sinceMs })
    const browser = createBrowser()
    await browser.act(() => session.signIn('ada'))
    expect(await browser.render(session.readUserId)).toBe('ada')
    sinceMs = clock.nowMs + 1
    expect(await browser.render(session.readUserId)).toBeNull()
  })

  test('without remember, the browser deletes the cookie when it is closed', async () => {
    const { session, createBrowser, clock } = create()
    const browser = createBrowser()
    await browser.act(() => session.signIn('ada', { remember: false }))
    clock.nowMs += dayMs
    await browser.act(session.read)
    if (kind === 'sealed') await browser.act(() => session.update({ theme: 'dark' }))
    expect(browser.lines.filter((line) => /Max-Age=[1-9]|Expires/.test(line))).toEqual([])
  })

  test('a message is read once, by one page', async () => {
    const { session, createBrowser, clock } = create()
    const browser = createBrowser()
    await browser.act(async () => {
      await session.flash('Saved.')
      await session.flash('Quota nearly full.', 'warning')
    })
    const messages = [
      { text: 'Saved.', kind: 'info' },
      { text: 'Quota nearly full.', kind: 'warning' },
    ]
    const prefetch = { headers: { 'sec-purpose': 'prefetch' } }
    expect(
      await browser.render(session.readFlash, {
        headers: {
          ...prefetch.headers,
          cookie: `session-flash=${browser.jar.get('session-flash')}`,
        },
      }),
    ).toEqual([])
    const both = () => Promise.all([session.readFlash(), session.readFlash()])
    expect(await browser.render(both)).toEqual([messages, messages])
    expect(await browser.render(session.readFlash, { url: 'https://site.test/other' })).toEqual([])
    // The browser loads the page again, because the response was lost.
    expect(await browser.render(session.readFlash)).toEqual(messages)
    clock.nowMs += 10_000
    expect(await browser.render(session.readFlash)).toEqual([])
    await browser.act(() => session.flash('Next.'))
    expect(await browser.act(session.readFlash)).toEqual([{ text: 'Next.', kind: 'info' }])
    expect(browser.jar.has('session-flash')).toBe(false)
  })
})

test('a message that is too long for a cookie is refused, and the next one is not', async () => {
  const { session, createBrowser } = createSealed()
  const browser = createBrowser()
  await browser.act(async () => {
    await session.flash('Saved.')
    const tooLong = session.flash('x'.repeat(4_000))
    await expect(tooLong).rejects.toThrow(/session-flash would have \d+ bytes.*Pass shorter texts/)
    await session.flash('Sent.')
  })
  const messages = await browser.render(session.readFlash)
  expect(messages.map(({ text }) => text)).toEqual(['Saved.', 'Sent.'])
})

describe('a sealed session', () => {
  test('in production, the cookie is bound to the host and HTTPS', async () => {
    const { session, createBrowser, warnings } = createSealed({}, { isProduction: true })
    const browser = createBrowser()
    await browser.act(() => session.signIn('ada'))
    expect(browser.lines[0]).toMatch(
      /^__Host-session=[\w-]+; Path=\/; Max-Age=34560000;.*HttpOnly.*SameSite=Lax|Secure/i,
    )
    expect(browser.lines[0]).toContain('Secure')
    expect(browser.lines[0]).not.toContain('Domain')
    expect(warnings).toEqual([])
    // A subdomain can plant a cookie without the prefix, which is ignored.
    const planted = { headers: { cookie: `session=${browser.jar.get('__Host-session')}` } }
    expect(await createBrowser().render(session.readUserId, planted)).toBeNull()
  })

  test.each([
    ['http://10.0.0.8:3000/', {}, 1],
    ['http://localhost:3000/', {}, 0],
    ['http://10.0.0.8:3000/', { 'x-forwarded-proto': 'https' }, 0],
  ])('warns once if the browser will refuse the cookie: %s %j', async (url, headers, count) => {
    const { session, createBrowser, warnings } = createSealed({}, { isProduction: true })
    for (let at = 0; at < 2; at++) {
      await createBrowser().act(() => session.signIn('ada'), { url, headers })
    }
    expect(warnings).toHaveLength(count)
  })

  test('the warning about HTTP does not depend on the first request', async () => {
    const { session, createBrowser, warnings } = createSealed({}, { isProduction: true })
    for (const host of ['localhost:3000', '10.0.0.8:3000', '10.0.0.9:3000']) {
      await createBrowser().act(() => session.signIn('ada'), { url: `http://${host}/` })
    }
    expect(warnings).toEqual([expect.stringContaining('http://10.0.0.8:3000')])
  })

  test('is refused if it is too large for a cookie, and the earlier data stays', async () => {
    const { session, createBrowser } = createSealed()
    const browser = createBrowser()
    await browser.act(() => session.update({ theme: 'dark' }))
    const large = { cart: ['x'.repeat(4_000)] }
    await expect(browser.act(() => session.update(large))).rejects.toThrow(
      /would have \d+ bytes, and browsers accept at most 4096.*cacheStore/,
    )
    expect((await browser.render(session.read)).data.theme).toBe('dark')
  })

  test('stays valid while a secret is replaced', async () => {
    const secrets: [string, ...string[]] = ['the first secret of the app, long enough']
    const one = createSealed({}, { secrets })
    const browser = one.createBrowser()
    await browser.act(() => one.session.signIn('ada'))
    const next = 'the second secret of the app, long enough'
    const both = createSealed({}, { secrets: [next, ...secrets] })
    expect(await browser.render(both.session.readUserId)).toBe('ada')
    await browser.act(() => both.session.update({ theme: 'dark' }))
    const two = createSealed({}, { secrets: [next] })
    expect(await browser.render(two.session.readUserId)).toBe('ada')
    expect(await browser.render(one.session.readUserId)).toBeNull()
  })

  test('a response that only extends it does not bring back a session that has ended', async () => {
    const { session, createBrowser, clock } = createSealed()
    const browser = createBrowser()
    await browser.act(() => session.signIn('ada'))
    clock.nowMs += 2 * 60 * 60_000
    const slow = createBrowser()
    for (const [name, value] of browser.jar) slow.jar.set(name, value)
    await slow.run('proxy', session.read)
    await browser.act(session.signOut)
    browser.receive(slow.lines)
    expect([...browser.jar.keys()]).toEqual(['session-seen'])
    expect(await browser.render(session.readUserId)).toBeNull()
  })
})

describe('a stored session', () => {
  test('a copy of its cookie is useless after the sign-out', async () => {
    const { session, createBrowser } = createStored()
    const browser = createBrowser()
    await browser.act(() => session.signIn('ada'))
    const copied = createBrowser()
    for (const [name, value] of browser.jar) copied.jar.set(name, value)
    expect(await copied.render(session.readUserId)).toBe('ada')
    await browser.act(session.signOut)
    expect(await copied.render(session.readUserId)).toBeNull()
    await copied.act(() => session.update({ theme: 'dark' }))
    expect(await copied.render(session.read)).toMatchObject({ userId: null })
  })

  test('two tabs that write at the same time lose nothing', async () => {
    const { session, createBrowser } = createStored()
    const browser = createBrowser()
    await browser.act(() => session.signIn('ada'))
    const items = Array.from({ length: 8 }, (_, index) => `item ${index}`)
    await Promise.all([
      ...items.map((item) =>
        browser.act(() => session.update(({ cart }) => ({ cart: [...cart, item] }))),
      ),
      browser.act(() => session.update({ theme: 'dark' })),
    ])
    const { data } = await browser.render(session.read)
    expect(data.cart.toSorted()).toEqual(items)
    expect(data.theme).toBe('dark')
  })

  test('lists the devices of a user, and ends one, the others or all', async () => {
    const { session, createBrowser, clock } = createStored()
    const browsers = [createBrowser(), createBrowser(), createBrowser()] as const
    for (const [index, browser] of browsers.entries()) {
      clock.nowMs += 1_000
      const headers = { 'user-agent': `Device ${index} ${'x'.repeat(1_000)}` }
      await browser.act(() => session.signIn('ada'), { headers })
    }
    const eve = createBrowser()
    await eve.act(() => session.signIn('eve'), { headers: device })
    const [one, two, three] = browsers
    const devices = await one.render(session.listDevices)
    expect(devices.map(({ userAgent, isCurrent }) => [userAgent.slice(0, 8), isCurrent])).toEqual([
      ['Device 2', false],
      ['Device 1', false],
      ['Device 0', true],
    ])
    expect(devices[0]?.userAgent).toHaveLength(200)
    const idOfTwo = devices[1]?.id ?? ''
    expect(await eve.act(() => session.endDevice(idOfTwo))).toBe(false)
    expect(await two.render(session.readUserId)).toBe('ada')
    expect(await one.act(() => session.endDevice(idOfTwo))).toBe(true)
    expect(await two.render(session.readUserId)).toBeNull()
    await one.act(session.endOtherDevices)
    expect(await one.render(session.readUserId)).toBe('ada')
    expect(await three.render(session.readUserId)).toBeNull()
    await session.endAllDevices('ada')
    expect(await one.render(session.readUserId)).toBeNull()
    expect(await eve.render(session.readUserId)).toBe('eve')
    expect(await createBrowser().render(session.listDevices)).toEqual([])
  })

  test('users of sessions with different names are different, although they share a cache', async () => {
    const { session, app, store, createBrowser } = createStored()
    const admin = createSessionOn(app, { name: 'admin', store })
    const [customer, employee] = [createBrowser(), createBrowser()]
    await employee.act(() => admin.signIn('1'))
    await customer.act(() => session.signIn('1'))
    expect(await customer.render(session.listDevices)).toHaveLength(1)
    await customer.act(session.endOtherDevices)
    await session.endAllDevices('1')
    expect(await employee.render(admin.readUserId)).toBe('1')
    expect(await customer.render(session.readUserId)).toBeNull()
  })

  test('in development, sessions survive a change in the module that creates them', async () => {
    // The dev server has no shared cache.
    const { app, createBrowser } = createTestApp({ driver: null })
    const evaluate = () => createSessionOn(app, { store: createCacheStore(createFindDriver(app)) })
    const browser = createBrowser()
    const before = evaluate()
    await browser.act(() => before.signIn('ada'))
    expect(await browser.render(evaluate().readUserId)).toBe('ada')
  })

  test('a process that has served no request ends all sessions of a user', async () => {
    const driver = createMemoryDriver()
    const [one, two] = [createTestApp({ driver }), createTestApp({ driver })]
    const sessionOf = ({ app }: typeof one) =>
      createSessionOn(app, { store: createCacheStore(createFindDriver(app)) })
    const browser = one.createBrowser()
    const session = sessionOf(one)
    await browser.act(() => session.signIn('ada'))
    await sessionOf(two).endAllDevices('ada')
    expect(await browser.render(session.readUserId)).toBeNull()
  })

  test.each([
    [
      'renames columns, as Postgres does',
      { userId: undefined, userid: 'ada' },
      'userId: undefined',
    ],
    ['has lost a number', { createdAtMs: null }, 'createdAtMs: null'],
  ])('a store that %s signs nobody in', async (_, changed, message) => {
    const { store, app, createBrowser } = createStored()
    const wrong: SessionStore = {
      ...store,
      named: () => wrong,
      find: async (key: string) => ({ ...(await store.find(key)), ...changed }) as never,
    }
    const session = createSessionOn(app, { store: wrong })
    const browser = createBrowser()
    await browser.act(() => session.signIn('ada'))
    await expect(browser.render(session.read)).rejects.toThrow(
      `The session store returned ${message}`,
    )
  })

  test('a store may return numbers as text, as drivers of Postgres do', async () => {
    const { store, app, createBrowser } = createStored({ maxSeconds: 1_000 })
    const textOf = (row: SessionRow) =>
      ({ ...row, createdAtMs: `${row.createdAtMs}`, version: BigInt(row.version) }) as never
    const textStore: SessionStore = {
      ...store,
      named: () => textStore,
      find: async (key) => {
        const row = await store.find(key)
        return row && textOf(row)
      },
      list: async (userId) => (await store.list(userId)).map(textOf),
    }
    const session = createSessionOn(app, { store: textStore })
    const browser = createBrowser()
    const { createdAtMs } = await browser.act(() => session.signIn('ada'))
    await browser.act(() => session.update({ theme: 'dark' } as never))
    expect(await browser.render(session.read)).toMatchObject({
      data: { theme: 'dark' },
      createdAtMs,
    })
    expect(await browser.render(session.listDevices)).toMatchObject([{ createdAtMs }])
  })

  test('a cache store with a replaced function uses the replacement', async () => {
    const { store, app, createBrowser } = createStored()
    const inserted: string[] = []
    const session = createSessionOn(app, {
      store: {
        ...store,
        async insert(row) {
          inserted.push(`${row.userId}`)
          await store.insert(row)
        },
      },
    })
    const browser = createBrowser()
    await browser.act(() => session.signIn('ada'))
    expect(inserted).toEqual(['ada'])
    expect(await browser.render(session.readUserId)).toBe('ada')
    expect(await browser.render(session.listDevices)).toHaveLength(1)
  })

  test('a cache store with a replaced function needs its name before the replacement', async () => {
    const { store, app, createBrowser } = createStored()
    const changed = { ...store, insert: (row: SessionRow) => store.insert(row) }
    expect(() => createSessionOn(app, { name: 'admin', store: changed })).toThrow(
      'The session "admin" has a cacheStore() with a replaced function (insert)',
    )
    const adminStore = store.named('admin')
    const session = createSessionOn(app, {
      name: 'admin',
      store: { ...adminStore, insert: (row) => adminStore.insert(row) },
    })
    const browser = createBrowser()
    await browser.act(() => session.signIn('ada'))
    expect(await browser.render(session.listDevices)).toHaveLength(1)
  })

  test.each(['update', 'signIn'] as const)(
    '%s() fails while the cache is unavailable, and the browser keeps its session',
    async (api) => {
      const { app, createBrowser } = createTestApp()
      const driver = createMemoryDriver()
      const unavailable = { ...driver, get: () => null, set() {} }
      let isAvailable = true
      const store = createCacheStore(() => (isAvailable ? driver : unavailable))
      const session = createSessionOn(app, { data: initial, store })
      const browser = createBrowser()
      await browser.act(() => session.signIn('ada'))
      const before = new Map(browser.jar)
      isAvailable = false
      const change = () =>
        api === 'update' ? session.update({ theme: 'dark' }) : session.signIn('ada')
      await browser.act(() => expect(change()).rejects.toThrow('could not be stored'))
      expect(browser.jar).toEqual(before)
      expect(await browser.act(session.endOtherDevices)).toBe(false)
      isAvailable = true
      expect(await browser.render(session.readUserId)).toBe('ada')
      expect(await browser.act(session.endOtherDevices)).toBe(true)
    },
  )

  test('a stream that reads the session again learns of its end', async () => {
    const { session, store, clock, createBrowser } = createStored()
    const browser = createBrowser()
    await browser.act(() => session.signIn('ada'))
    const users = await browser.run('route-handler', async () => {
      const first = await session.readUserId()
      // Another process ends the session.
      await store.deleteAll('ada', null)
      clock.nowMs += 10_000
      return [first, await session.readUserId()]
    })
    expect(users).toEqual(['ada', null])
  })

  test('the page after an action that ends all sessions of a user has no user', async () => {
    const { session, createBrowser } = createStored()
    const browser = createBrowser()
    await browser.act(() => session.signIn('ada'))
    const userId = await browser.act(async () => {
      await session.read()
      await session.endAllDevices('ada')
      return session.readUserId()
    })
    expect(userId).toBeNull()
  })

  test('the store never contains the token of the cookie', async () => {
    const { session, store, createBrowser } = createStored()
    const browser = createBrowser()
    await browser.act(() => session.signIn('ada'))
    const rows = await store.list('ada')
    expect(rows).toHaveLength(1)
    expect(JSON.stringify(rows)).not.toContain(browser.jar.get('session'))
  })

  test('open connections are notified when their session ends', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    try {
      const { session, store, createBrowser } = createStored()
      const browser = createBrowser()
      await browser.act(() => session.signIn('ada'))
      const current = await browser.run('route-handler', session.read)
      const ended: string[] = []
      session.onEnd(current, () => ended.push('here'))
      session.onEnd(current, () => ended.push('closed before'))()
      await vi.advanceTimersByTimeAsync(20_000)
      expect(ended).toEqual([])
      // Another process ends the session.
      await store.deleteAll('ada', null)
      await vi.advanceTimersByTimeAsync(10_000)
      expect(ended).toEqual(['here'])
      await browser.act(() => session.signIn('ada'))
      session.onEnd(await browser.render(session.read), () => ended.push('again'))
      await browser.act(session.signOut)
      expect(ended).toEqual(['here', 'again'])
    } finally {
      vi.useRealTimers()
    }
  })
})

test.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY])('idleSeconds can not be %s', (seconds) => {
  expect(() => createSealed({ idleSeconds: seconds })).toThrow('Pass a number of seconds above 0')
})
