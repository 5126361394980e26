import type { TestRequestInit, TestResponse } from '@waymark/testing'
import { expect, test } from 'vitest'
import { replayRequest } from './replayRequest.ts'

/** Creates an app that records the received requests. */
function recordingApp(status = 200) {
  const sent: { path: string; request: TestRequestInit }[] = []
  const send = async (path: string, request: TestRequestInit): Promise<TestResponse> => {
    sent.push({ path, request })
    return {
      status,
      headers: new Headers(),
      html: '',
      payload: null,
      digest: null,
      thrown: [],
      cached: [],
      cacheStatus: null,
      cookies: {},
      form() {
        throw new Error('It has no form.')
      },
    }
  }
  return { sent, send }
}

test('sends path, method, headers and cookies', async () => {
  const app = recordingApp()
  const headers = { accept: 'text/html' }
  await replayRequest(app, { method: 'PUT', path: '/a?q=1', headers, cookies: { theme: 'dark' } })
  expect(app.sent).toEqual([
    { path: '/a?q=1', request: { method: 'PUT', headers, cookies: { theme: 'dark' } } },
  ])
})

test('sends an action as the router does', async () => {
  const app = recordingApp()
  const action = { id: 'abc#add', arguments: [{ json: 1 }] }
  await replayRequest(app, { path: '/cart', headers: { accept: '*/*' }, action })
  expect(app.sent[0]?.request).toMatchObject({
    method: 'POST',
    headers: { accept: '*/*', 'waymark-action': 'abc#add' },
    body: '[1]',
  })
})

test('sends nothing without a needed cookie', async () => {
  const app = recordingApp()
  const sent = replayRequest(app, { path: '/', neededCookies: ['session'] })
  await expect(sent).rejects.toThrow('needs the cookie session')
  expect(app.sent).toEqual([])
})

test('throws if the response turns the user away', async () => {
  const request = { path: '/', cookies: { session: 'old' }, neededCookies: ['session'] }
  await expect(replayRequest(recordingApp(401), request)).rejects.toThrow('with status 401')
})
