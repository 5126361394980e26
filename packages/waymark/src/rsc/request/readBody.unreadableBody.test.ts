import { expect, test } from 'vitest'
import { isUnreadableBody, watchBody } from './readBody.ts'

function requestWith(body: string, type: string): Request {
  const headers = { 'content-type': type }
  return watchBody(new Request('https://site.test/', { method: 'POST', headers, body }))
}

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
] as const)('%s of %j as %s is unreadable', async (method, body, type) => {
  expect(isUnreadableBody(await thrownBy(requestWith(body, type)[method]()))).toBe(true)
})

test('what can be read is read', async () => {
  expect(await requestWith('{"a":1}', 'application/json').json()).toEqual({ a: 1 })
  const form = await requestWith('a=1', 'application/x-www-form-urlencoded').formData()
  expect(form.get('a')).toBe('1')
})

test('a body that was read before is no unreadable one', async () => {
  const request = requestWith('{"a":1}', 'application/json')
  await request.text()
  expect(isUnreadableBody(await thrownBy(request.json()))).toBe(false)
})

test('a request may be watched twice', async () => {
  const thrown = await thrownBy(watchBody(requestWith('{', 'application/json')).json())
  expect(thrown).toBeInstanceOf(SyntaxError)
  expect(isUnreadableBody(thrown)).toBe(true)
})

test.each([new Error('other'), null, 'text'])('%s is something else', (thrown) => {
  expect(isUnreadableBody(thrown)).toBe(false)
})
