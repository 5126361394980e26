import { createServer } from 'node:http'
import { gzipSync } from 'node:zlib'
import { describe, expect, test, vi } from 'vitest'
import { fromResponse, isResponse, responseProblem } from './web.ts'

const origin = 'https://site.test'

/**
 * Creates a response with a status that the platform refuses to construct, as upstream responses and subclasses can
 * have.
 */
function withStatus(status: number, body: ReadableStream | null = null): Response {
  return Object.defineProperty(new Response(body), 'status', { value: status })
}

describe('a Response', () => {
  test.each([
    [new Response(), true],
    [Response.error(), true],
    [{ status: 200, headers: new Headers(), body: null }, false],
    [undefined, false],
    [new Request(origin), false],
  ])('%o: %s', (value, isOne) => {
    expect(isResponse(value)).toBe(isOne)
  })

  test('can be sent only once', async () => {
    const response = new Response('x')
    expect(responseProblem(response)).toBeNull()
    await response.text()
    expect(responseProblem(response)).toContain('has been read already')
  })

  test("can't switch protocols", () => {
    expect(responseProblem(withStatus(101))).toContain('101')
  })
})

describe('the converted response', () => {
  test.each([
    ['Response.error()', Response.error(), { status: 500, headers: [], body: null }],
    [
      'Response.redirect()',
      Response.redirect(`${origin}/b`, 303),
      { status: 303, headers: [['location', `${origin}/b`]], body: null },
    ],
    ['no body', new Response(null, { status: 201 }), { status: 201, headers: [], body: null }],
  ])('of %s', (_, response, expected) => {
    expect(fromResponse(response)).toEqual(expected)
  })

  test.each([204, 205, 304])('with %i has no body, and its stream is cancelled', (status) => {
    const cancel = vi.fn()
    const handlerResponse = fromResponse(withStatus(status, new ReadableStream({ cancel })))
    expect(handlerResponse).toEqual({ status, headers: [], body: null })
    expect(cancel).toHaveBeenCalledOnce()
  })

  test('of a fetch has no headers about the encoding of the body', async () => {
    const server = createServer((_, res) => {
      const body = gzipSync('decoded')
      res.writeHead(200, { 'content-encoding': 'gzip', 'content-length': body.length, 'x-a': '1' })
      res.end(body)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    try {
      const { port } = server.address() as { port: number }
      const { headers, body } = fromResponse(await fetch(`http://127.0.0.1:${port}`))
      const names = headers.map(([name]) => name)
      expect(names).toContain('x-a')
      expect(names).not.toContain('content-encoding')
      expect(names).not.toContain('content-length')
      expect(await new Response(body as ReadableStream).text()).toBe('decoded')
    } finally {
      server.close()
    }
  })
})
