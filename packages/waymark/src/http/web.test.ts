import { describe, expect, it } from 'vitest'
import { toResponse, toServerRequest } from './web.ts'

async function* pieces(...texts: string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield new TextEncoder().encode(text)
}

/** Creates a body that records when it is cancelled. */
function createBody(onReturn: () => void): AsyncIterable<Uint8Array> {
  return {
    [Symbol.asyncIterator]: () => ({
      next: async () => ({ done: false, value: new Uint8Array(1) }),
      return: async () => {
        onReturn()
        return { done: true, value: undefined }
      },
    }),
  }
}

describe('toServerRequest', () => {
  it.each([
    ['https://a.test', 'https://a.test', '/'],
    ['http://a.test:8080/b%20c?d=/e#f', 'http://a.test:8080', '/b%20c?d=/e'],
    ['http://[::1]:80/x', 'http://[::1]', '/x'],
    ['http://a.test//b', 'http://a.test', '//b'],
    ['http://a.test?x', 'http://a.test', '/?x'],
  ])('reads %s', (url, origin, target) => {
    const request = toServerRequest(new Request(url))
    expect([request.origin, request.target]).toEqual([origin, target])
  })

  // A runtime may create a URL from any `Host`, but a Request in Node can't have such a URL.
  it.each([
    ['http://a?/admin', 'http://a', '/?/admin'],
    ['http://a#/admin', 'http://a', '/'],
    ['http://a\\/admin', 'http://a', '//admin'],
    ['http://b@a/admin', 'http://a', '/admin'],
  ])('parses %s as the app does, which may guard a path', (url, origin, target) => {
    const request = toServerRequest({ method: 'GET', url, headers: new Headers() } as Request)
    expect([request.origin, request.target]).toEqual([origin, target])
    expect(new URL(url).pathname).toBe(target.split('?', 1)[0])
  })

  it('passes on method, headers, signal and the request itself', async () => {
    const leaving = new AbortController()
    const web = new Request('http://a.test/', {
      method: 'POST',
      body: 'abc',
      headers: { 'x-one': '1' },
      signal: leaving.signal,
    })
    const request = toServerRequest(web)
    expect(request.method).toBe('POST')
    expect(request.headers.get('X-One')).toBe('1')
    expect(request.headers.has('x-two')).toBe(false)
    expect(await request.toRequest().text()).toBe('abc')
    leaving.abort()
    expect(request.signal.aborted).toBe(true)
  })
})

describe('toResponse', () => {
  it.each([
    ['a text', 'abc', 'abc'],
    ['bytes', new TextEncoder().encode('abc'), 'abc'],
    ['nothing', null, ''],
    ['pieces', pieces('a', 'b', 'c'), 'abc'],
  ])('has a body of %s', async (_name, body, expected) => {
    const response = toResponse({ status: 201, headers: [['x-one', '1']], body })
    expect(response.status).toBe(201)
    expect(response.headers.get('x-one')).toBe('1')
    expect(await response.text()).toBe(expected)
  })

  it('keeps cookies separate', () => {
    const response = toResponse({
      status: 200,
      headers: [
        ['set-cookie', 'a=1'],
        ['set-cookie', 'b=2'],
      ],
      body: null,
    })
    expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2'])
  })

  it.each([
    ['HEAD', 200],
    ['GET', 204],
    ['GET', 304],
  ])('cancels the body for %s %i', async (method, status) => {
    let returned = 0
    const body = createBody(() => returned++)
    const response = toResponse({ status, headers: [], body }, method)
    expect(response.body).toBeNull()
    expect(returned).toBe(1)
  })

  it('cancels the body when its reader leaves', async () => {
    let returned = 0
    const response = toResponse({ status: 200, headers: [], body: createBody(() => returned++) })
    await response.body?.cancel()
    expect(returned).toBe(1)
  })

  it('fails with the error of its body', async () => {
    const body = (async function* () {
      yield new Uint8Array(1)
      throw new Error('broken')
    })()
    await expect(toResponse({ status: 200, headers: [], body }).text()).rejects.toThrow('broken')
  })

  it('refuses a header that would inject a line', () => {
    const response = {
      status: 200,
      headers: [['a', 'b\r\nc: d']] as [string, string][],
      body: null,
    }
    expect(() => toResponse(response)).toThrow()
  })
})
