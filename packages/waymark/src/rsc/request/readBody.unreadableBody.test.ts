import { expect, test } from 'vitest'
import { bodyFailures, limitBody } from './readBody.ts'

function requestWith(body: string, type: string): Request {
  const headers = { 'content-type': type }
  return limitBody(new Request('https://site.test/', { method: 'POST', headers, body }))
}

const statusOf = (thrown: unknown) => bodyFailures.get(thrown as object)?.status

const thrownBy = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => null,
    (thrown: unknown) => thrown,
  )

test.each([
  ['json', '{"a":', 'application/json'],
  ['json', '', 'application/json'],
  ['formData', 'a=1', 'multipart/form-data'],
  ['formData', 'no part', 'multipart/form-data; boundary=x'],
  ['formData', 'a=1', 'text/plain'],
] as const)('%s() of %j as %s fails as an invalid body', async (method, body, type) => {
  expect(statusOf(await thrownBy(requestWith(body, type)[method]()))).toBe(400)
})

test('a valid body is read', async () => {
  expect(await requestWith('{"a":1}', 'application/json').json()).toEqual({ a: 1 })
  const form = await requestWith('a=1', 'application/x-www-form-urlencoded').formData()
  expect(form.get('a')).toBe('1')
})

test('reading a body twice does not count as an invalid body', async () => {
  const request = requestWith('{"a":1}', 'application/json')
  await request.text()
  expect(statusOf(await thrownBy(request.json()))).toBeUndefined()
})

test('limitBody may be called twice', async () => {
  const thrown = await thrownBy(limitBody(requestWith('{', 'application/json')).json())
  expect(thrown).toBeInstanceOf(SyntaxError)
  expect(statusOf(thrown)).toBe(400)
})

test.each([new Error('other'), null, 'text'])('%s is not a body error', (thrown) => {
  expect(statusOf(thrown)).toBeUndefined()
})

const methods = ['json', 'formData', 'text', 'arrayBuffer', 'blob'] as const

/** Creates a request with a body of 50 MB, and counts the bytes that are read. */
function endless(headers: Readonly<Record<string, string>> = {}) {
  let pulledBytes = 0
  const piece = new Uint8Array(1_000_000).fill(97)
  const pull = (controller: ReadableStreamDefaultController) => {
    pulledBytes += piece.length
    if (pulledBytes > 50_000_000) controller.close()
    else controller.enqueue(piece)
  }
  const body = new ReadableStream({ pull }, { highWaterMark: 0 })
  const init = { method: 'POST', headers, body, duplex: 'half' }
  return { request: limitBody(new Request('https://site.test/', init)), pulled: () => pulledBytes }
}

test.each(methods)('%s() stops at the limit for an endless body', async (method) => {
  const { request, pulled } = endless()
  expect(statusOf(await thrownBy(request[method]()))).toBe(413)
  expect(pulled()).toBeLessThan(20_000_000)
})

test('a body with a content-length above the limit is not read', async () => {
  const { request, pulled } = endless({ 'content-length': '10000001' })
  expect(statusOf(await thrownBy(request.text()))).toBe(413)
  expect(pulled()).toBe(0)
})

test('the stream itself has no limit', async () => {
  const { request, pulled } = endless()
  const reader = request.body?.getReader()
  while (pulled() < 30_000_000) await reader?.read()
  await reader?.cancel()
})

test('text, bytes and files arrive unchanged', async () => {
  const request = () => requestWith('grüße', 'text/plain')
  expect(await request().text()).toBe('grüße')
  expect(Buffer.from(await request().arrayBuffer()).toString()).toBe('grüße')
  const blob = await request().blob()
  expect([blob.type, await blob.text()]).toEqual(['text/plain', 'grüße'])
})
