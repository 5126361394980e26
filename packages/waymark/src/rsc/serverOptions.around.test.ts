import { describe, expect, test, vi } from 'vitest'
import type { HandlerResponse, HeaderLines } from '../http/response.ts'
import { toServerRequest } from '../http/web.ts'
import { scopeOf } from './request/testing/scopeOf.ts'
import {
  type AroundRequest,
  joinArounds,
  readServerOptions,
  respondAround,
} from './serverOptions.ts'

const page: HandlerResponse = {
  status: 200,
  headers: [
    ['content-type', 'text/html'],
    ['set-cookie', 'a=1'],
  ],
  body: 'a page',
  cached: { status: 200, headers: [], bodies: [] as never, handlerOnHeaders: [] },
}

type Options = {
  respond?: () => Promise<HandlerResponse>
  phase?: 'render' | 'prerender'
  init?: RequestInit
  observes?: boolean
}

function run(
  around: AroundRequest,
  { respond = async () => page, phase = 'render', init, observes = false }: Options = {},
) {
  const request = toServerRequest(new Request('https://site.test/_waymark/data/a.rsc?b=1', init))
  return respondAround({
    around: { run: around, observes },
    address: { kind: 'document', pathname: '/a', search: '?b=1' },
    request,
    scope: scopeOf(phase),
    buildId: 'build',
    deadlineMs: 30,
    respond,
  })
}

test('the response of handle() is sent unchanged, with the headers that around() added', async () => {
  const answer = await run(async ({ url }, handle) => {
    expect(url).toBe('https://site.test/a?b=1')
    const response = await handle()
    response.headers.append('set-cookie', 'b=2')
    return response
  })
  const policy: HeaderLines = [['cache-control', 'private, no-cache']]
  expect(answer).toEqual({ ...page, headers: [...policy, ...page.headers, ['set-cookie', 'b=2']] })
})

test('a new Response with the same body keeps the original body', async () => {
  const answer = await run(async (_, handle) => {
    const { body, status } = await handle()
    return new Response(body, { status, headers: { 'x-a': '1' } })
  })
  expect(answer).toMatchObject({ cached: page.cached, body: 'a page', headers: [['x-a', '1']] })
})

const shared: HeaderLines = [
  ['cache-control', 'public, max-age=0, s-maxage=60'],
  ['cdn-cache-control', 'public, max-age=60'],
]
const pass: AroundRequest = (_, handle) => handle()
const policyOf = ({ headers }: HandlerResponse) =>
  headers.filter(([name]) => name.endsWith('cache-control'))

describe('a stored page', () => {
  const respond = async () => ({ ...page, headers: shared })

  test('is private if around() may decide about requests', async () => {
    const response = await run(pass, { respond })
    expect(policyOf(response)).toEqual([['cache-control', 'private, no-cache']])
    expect(response.hasCustomCaching).toBeUndefined()
  })

  test('has the cache policy that around() sets, and loses its policy for CDNs', async () => {
    const cacheForAll: AroundRequest = async (_, handle) => {
      const response = await handle()
      response.headers.set('cache-control', 'public, max-age=5')
      return response
    }
    for (const observes of [false, true]) {
      const response = await run(cacheForAll, { respond, observes })
      expect(policyOf(response)).toEqual([['cache-control', 'public, max-age=5']])
      expect(response.hasCustomCaching).toBe(true)
    }
  })

  test('stays public if around() only observes', async () => {
    expect(policyOf(await run(pass, { respond, observes: true }))).toEqual(shared)
  })

  test('keeps the policy that its route handler set', async () => {
    const respond = async () => ({ ...page, headers: shared, hasCustomCaching: true })
    expect(policyOf(await run(pass, { respond }))).toEqual(shared)
  })
})

test.each<[string, AroundRequest]>([
  ['a new response', () => new Response('mine')],
  [
    'another status',
    async (_, handle) => {
      const { body } = await handle()
      return new Response(body, { status: 403 })
    },
  ],
])('an observer that returns %s is an error', async (_, around) => {
  await expect(run(around, { observes: true })).rejects.toMatchObject({ code: 'SERVER_AROUND' })
})

test.each([
  { run: 1, observes: true },
  { run: pass },
  { run: pass, observes: false },
  { run: pass, observes: true, isPublic: true },
  null,
  'around',
])('%o is not a valid around', (around) => {
  expect(() => readServerOptions({ default: { around } })).toThrow(
    /server\.ts can't be used: .*around/,
  )
})

test('if a stream was cloned, the clone is sent', async () => {
  const body = (async function* () {
    yield Buffer.from('one ')
    yield Buffer.from('two')
  })()
  let seen = ''
  const answer = await run(
    async (_, handle) => {
      const response = await handle()
      void response
        .clone()
        .text()
        .then((text) => (seen = text))
      return response
    },
    { respond: async () => ({ status: 200, headers: [], body }) },
  )
  expect(await new Response(answer.body as ReadableStream).text()).toBe('one two')
  await vi.waitFor(() => expect(seen).toBe('one two'))
})

test('another Response replaces the page, whose body is cancelled', async () => {
  const onEnd = vi.fn()
  const body = (async function* () {
    try {
      yield Buffer.from('piece')
    } finally {
      onEnd()
    }
  })()
  await body.next()
  const answer = await run(
    async (_, handle) => {
      await handle()
      return new Response(null, { status: 204 })
    },
    { respond: async () => ({ status: 200, headers: [], body }) },
  )
  expect(answer.status).toBe(204)
  await vi.waitFor(() => expect(onEnd).toHaveBeenCalledOnce())
})

test.each<[string, AroundRequest]>([
  ['before handle()', () => new Promise(() => {})],
  [
    'after handle()',
    async (_, handle) => {
      await handle()
      return new Promise(() => {})
    },
  ],
])('a wrapper that never ends %s fails after the deadline', async (_, around) => {
  await expect(run(around)).rejects.toMatchObject({ code: 'SERVER_AROUND' })
})

test('has no deadline while the app itself is running', async () => {
  const respond = async () => {
    await new Promise((resolve) => setTimeout(resolve, 60))
    return page
  }
  expect((await run((_, handle) => handle(), { respond })).status).toBe(200)
})

test('runs the app once, no matter how often handle() is called', async () => {
  const respond = vi.fn(async () => page)
  await run(async (_, handle) => (await handle()) && handle(), { respond })
  expect(respond).toHaveBeenCalledOnce()
})

test('returning nothing, or reading the body first, is an error', async () => {
  const post = { method: 'POST', body: 'a body' }
  const reading: AroundRequest = async (request, handle) => {
    await request.text()
    return handle()
  }
  const nothing = (() => undefined) as unknown as AroundRequest
  await expect(run(nothing)).rejects.toMatchObject({ code: 'SERVER_AROUND' })
  await expect(run(reading, { init: post })).rejects.toMatchObject({ code: 'SERVER_AROUND' })
})

test('gives its context to a prerendered page, but is not stored with it', async () => {
  const around: AroundRequest = async (_, handle) => {
    const response = await handle()
    response.headers.set('x-a', '1')
    return response
  }
  const refusing = () => new Response(null, { status: 401 })
  for (const each of [around, refusing]) expect(await run(each, { phase: 'prerender' })).toBe(page)
})

describe('several wrappers', () => {
  const naming =
    (name: string): AroundRequest =>
    async (_, handle) => {
      const response = await handle()
      response.headers.append('x-order', name)
      return response
    }

  test('run inside of each other, and run the app once', async () => {
    const respond = vi.fn(async () => page)
    const twice: AroundRequest = async (_, handle) => (await handle()) && handle()
    const joined = joinArounds([
      { run: twice, observes: false },
      { run: naming('outer'), observes: true },
      { run: naming('inner'), observes: true },
    ])
    const response = await run(joined?.run ?? twice, { respond })
    expect(response.headers).toContainEqual(['x-order', 'inner, outer'])
    expect(respond).toHaveBeenCalledOnce()
  })

  test('only observe if all of them do', () => {
    const one = { run: naming('one'), observes: true }
    expect(joinArounds([])).toBeNull()
    expect(joinArounds([one])).toBe(one)
    expect(joinArounds([one, { ...one, observes: false }])?.observes).toBe(false)
    expect(joinArounds([one, one])?.observes).toBe(true)
  })

  test('if the outer one refuses, the inner one does not run', async () => {
    const inner = vi.fn(naming('inner'))
    const refuse: AroundRequest = () => new Response(null, { status: 401 })
    const joined = joinArounds([
      { run: refuse, observes: false },
      { run: inner, observes: false },
    ])
    expect(await run(joined?.run ?? refuse)).toMatchObject({ status: 401 })
    expect(inner).not.toHaveBeenCalled()
  })
})
