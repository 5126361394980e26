import { describe, expect, test, vi } from 'vitest'
import type { HandlerResponse } from '../../http/response.ts'
import { forbidden, notFound, unauthorized } from '../../http/statuses.ts'
import { toResponse, toServerRequest } from '../../http/web.ts'
import { permanentRedirect, redirect } from '../../routing/redirect.ts'
import { cookies } from './api.ts'
import {
  allowedMethods,
  isStaticRouteHandler,
  type RouteHandlerModule,
  type RouteHandlerRequest,
  runRouteHandler,
} from './routeHandler.ts'
import { createScope } from './scope.ts'

const origin = 'https://site.test'

const empty = () => new Response()

const screen: RouteHandlerRequest['screen'] = (status, headers) => ({
  status,
  headers,
  body: `screen ${status}`,
})

type RequestOptions = {
  method?: string
  init?: RequestInit & { duplex?: 'half' }
  target?: string
  params?: object
}

function ask(
  module: RouteHandlerModule,
  { init, method, target = '/a?b=1', params = {} }: RequestOptions = {},
) {
  const web = new Request(origin + target, init)
  // Set the method separately, because the platform's Request refuses some methods that a client can send.
  const request = { ...toServerRequest(web), method: method ?? web.method }
  const [pathname = '', query] = target.split('?')
  const url = { pathname, search: query === undefined ? '' : `?${query}` }
  const scope = createScope({ request, url, phase: 'route-handler', onAfterError: () => '' })
  const match = { params: params as Record<string, unknown> }
  return runRouteHandler({ module, match, scope, request, screen })
}

function get(
  run: (request: Request, context: { params: Promise<unknown> }) => unknown,
  options?: RequestOptions,
) {
  return ask({ GET: run }, options)
}

const textOf = (answer: HandlerResponse) => toResponse(answer).text()

describe('a route handler', () => {
  test.each(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])('handles %s', async (method) => {
    const module = { [method]: (request: Request) => new Response(request.method) }
    expect(await textOf(await ask(module, { init: { method } }))).toBe(method)
  })

  test('gets the request and its params', async () => {
    const answer = await get(
      async (request, { params }) => Response.json([request.url, await params]),
      { target: '/a/b%20c?d=e', params: { slug: ['b c'] } },
    )
    expect(JSON.parse(await textOf(answer))).toEqual([`${origin}/a/b%20c?d=e`, { slug: ['b c'] }])
  })

  test('sees the URL of its scope if proxy.ts has rewritten it', async () => {
    const request = toServerRequest(new Request(`${origin}/x`, { method: 'POST', body: 'posted' }))
    const url = { pathname: '/a', search: '?b' }
    const scope = createScope({ request, url, phase: 'route-handler', onAfterError: () => '' })
    const run = async (web: Request) => new Response(`${web.url} ${await web.text()}`)
    const answer = await runRouteHandler({
      module: { POST: run },
      match: { params: {} },
      scope,
      request,
      screen,
    })
    expect(await textOf(answer)).toBe(`${origin}/a?b posted`)
  })

  test('is told when the client leaves', async () => {
    const controller = new AbortController()
    let signal: AbortSignal | undefined
    await get(
      (request) => {
        signal = request.signal
        return new Response()
      },
      { init: { signal: controller.signal } },
    )
    expect(signal?.aborted).toBe(false)
    controller.abort()
    expect(signal?.aborted).toBe(true)
  })
})

describe('methods', () => {
  const module = { GET: empty, POST: empty, dynamic: 'auto' }
  const allow = 'GET, HEAD, POST, OPTIONS'
  const refused = { status: 405, headers: [['allow', allow]], body: null }

  test.each(['PUT', 'PATCH', 'DELETE', 'PURGE', 'get'])(
    '%s without a function gets 405',
    async (method) => {
      expect(await ask(module, { method })).toEqual(refused)
    },
  )

  test('without a response, a browser gets a screen, and a program only the status', async () => {
    const inBrowser = { headers: { accept: 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8' } }
    const posted = await ask(module, { method: 'PUT', init: inBrowser })
    expect(posted).toEqual({ status: 405, headers: [['allow', allow]], body: 'screen 405' })
    expect(await get(() => notFound(), { init: inBrowser })).toMatchObject({ body: 'screen 404' })
    for (const accept of ['*/*', 'application/json', 'text/html;q=0']) {
      const options = { init: { headers: { accept } } }
      expect(await get(() => forbidden(), options)).toMatchObject({ status: 403, body: null })
    }
  })

  test.each(['TRACE', 'CONNECT', 'dynamic', 'constructor', 'toString', '__proto__'])(
    '%s is not a method, whatever the module exports',
    async (method) => {
      const odd = { ...module, TRACE: empty, CONNECT: empty }
      expect(await ask(odd, { method })).toEqual(refused)
    },
  )

  test('include OPTIONS automatically', async () => {
    expect(await ask(module, { init: { method: 'OPTIONS' } })).toEqual({
      status: 204,
      headers: [['allow', allow]],
      body: null,
    })
  })

  test.each([
    [{}, 'OPTIONS'],
    [{ POST() {} }, 'POST, OPTIONS'],
    [{ HEAD() {} }, 'HEAD, OPTIONS'],
    [{ DELETE() {}, GET() {} }, 'GET, HEAD, DELETE, OPTIONS'],
  ])('are listed: %j', (module, allowed) => {
    expect(allowedMethods(module)).toBe(allowed)
  })

  test('HEAD is handled by GET, whose body is cancelled', async () => {
    const cancel = vi.fn()
    const body = new ReadableStream({ cancel })
    const run = (request: Request) =>
      new Response(body, { headers: { 'x-method': request.method } })
    expect(await ask({ GET: run }, { init: { method: 'HEAD' } })).toEqual({
      status: 200,
      headers: [['x-method', 'HEAD']],
      body: null,
    })
    expect(cancel).toHaveBeenCalledOnce()
  })

  test('HEAD uses its own function if one is exported', async () => {
    const run = () => new Response(null, { headers: { 'content-length': '7' } })
    const answer = await ask({ ...module, HEAD: run }, { init: { method: 'HEAD' } })
    expect(answer.headers).toEqual([['content-length', '7']])
  })
})

describe('bodies', () => {
  test('stream to the client piece by piece, and stop if nobody reads', async () => {
    const cancel = vi.fn()
    let count = 0
    const body = new ReadableStream({
      pull(controller) {
        controller.enqueue(new Uint8Array([count++]))
      },
      cancel,
    })
    const answer = await get(() => new Response(body))
    const read: number[] = []
    for await (const piece of answer.body as AsyncIterable<Uint8Array>) {
      read.push(...piece)
      if (read.length === 3) break
    }
    expect(read).toEqual([0, 1, 2])
    expect(cancel).toHaveBeenCalledOnce()
  })

  test('stream to the handler while they are sent', async () => {
    const seen: string[] = []
    const sent = new TransformStream<Uint8Array, Uint8Array>()
    const writer = sent.writable.getWriter()
    const run = (request: Request) => new Response(request.body)
    const answer = await ask(
      { POST: run },
      { init: { method: 'POST', body: sent.readable, duplex: 'half' } },
    )
    const back = (answer.body as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]()
    for (const text of ['a', 'b']) {
      void writer.write(new TextEncoder().encode(text))
      seen.push(new TextDecoder().decode((await back.next()).value))
    }
    expect(seen).toEqual(['a', 'b'])
  })
})

describe('headers', () => {
  test('keep each set-cookie line, after those of cookies()', async () => {
    const answer = await get(async () => {
      ;(await cookies()).set('c', '3')
      const response = new Response('x', { headers: { 'x-a': '1' } })
      response.headers.append('set-cookie', 'a=1')
      response.headers.append('set-cookie', 'b=2')
      return response
    })
    expect(answer.headers.filter(([name]) => name !== 'content-type')).toEqual([
      ['set-cookie', 'c=3; Path=/; SameSite=Lax'],
      ['set-cookie', 'a=1'],
      ['set-cookie', 'b=2'],
      ['x-a', '1'],
    ])
  })
})

describe('a thrown value', () => {
  test.each<[string, () => never, Partial<HandlerResponse>]>([
    ['redirect', () => redirect('/b'), { status: 307, headers: [['location', '/b']] }],
    [
      'permanentRedirect',
      () => permanentRedirect('/b'),
      { status: 308, headers: [['location', '/b']] },
    ],
    ['notFound', () => notFound(), { status: 404, headers: [] }],
    ['forbidden', () => forbidden(), { status: 403, headers: [] }],
    ['unauthorized', () => unauthorized(), { status: 401, headers: [] }],
  ])('from %s() is its response', async (_, run, answer) => {
    expect(await get(run)).toEqual({ ...answer, body: null })
  })

  test.each([
    ['POST', undefined, 303],
    ['PUT', undefined, 303],
    ['POST', 307, 307],
    ['GET', undefined, 307],
  ] as const)('from redirect() after %s with %s is %i', async (method, status, expected) => {
    const run = () => redirect('/b', { status })
    const answer = await ask({ [method]: run }, { init: { method } })
    expect(answer.status).toBe(expected)
  })

  test('from redirect() keeps the cookies that were set', async () => {
    const answer = await get(async () => {
      ;(await cookies()).set('a', '1')
      redirect('/b')
    })
    expect(answer.headers).toEqual([
      ['set-cookie', 'a=1; Path=/; SameSite=Lax'],
      ['location', '/b'],
    ])
  })

  test.each([
    ['json', 'text/plain', '{', 'The request body is not valid JSON.\n'],
    ['formData', 'multipart/form-data; boundary=x', '{', 'The request body is not a valid form.\n'],
    [
      'formData',
      'application/json',
      '{}',
      'The request needs the content type of a form, such as multipart/form-data.\n',
    ],
  ] as const)(
    'for an invalid body names the cause: %s() of %s',
    async (method, type, body, text) => {
      const run = async (request: Request) => Response.json(await request[method]())
      const init = { method: 'POST', body, headers: { 'content-type': type } }
      const answer = await ask({ POST: run }, { init })
      expect([answer.status, await textOf(answer)]).toEqual([400, text])
    },
  )

  test('of any other kind is rethrown', async () => {
    const run = () => {
      throw new Error('boom')
    }
    await expect(get(run)).rejects.toThrow('boom')
  })
})

describe('a result', () => {
  test.each<[string, () => unknown, RegExp]>([
    ['nothing', () => undefined, /GET \/a can't respond: it returned nothing/],
    ['null', () => null, /it returned nothing/],
    ['a text', () => 'x', /a value of type string/],
    ['an object', () => ({ status: 200 }), /a value of type object/],
    ['a promise of a number', async () => 1, /a value of type number/],
  ])('that is %s is refused', async (_, run, message) => {
    await expect(get(run)).rejects.toThrow(message)
  })

  test('with a body that has been read is refused', async () => {
    const run = async () => {
      const response = new Response('x')
      await response.text()
      return response
    }
    await expect(get(run)).rejects.toThrow(/has been read already/)
  })
})

describe('a static route handler', () => {
  test.each([
    [{ GET() {}, dynamic: 'force-static' }, true],
    [{ GET() {} }, false],
    [{ GET() {}, dynamic: 'force-dynamic' }, false],
    [{ POST() {}, dynamic: 'force-static' }, false],
  ])('%j: %s', (module, isStatic) => {
    expect(isStaticRouteHandler(module)).toBe(isStatic)
  })
})
