import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, test, vi } from 'vitest'
import { toServerRequest } from '../../http/web.ts'
import { readonlyHeadersOf } from './api.ts'
import { toWebRequest } from './readBody.ts'

const origin = 'https://site.test'

async function collectGarbage(): Promise<void> {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc')
  for (let round = 0; round < 3; round++) {
    await new Promise((resolve) => setTimeout(resolve, 5))
    collect()
  }
}

describe('a request in the platform’s form', () => {
  test('is the original if nothing is changed', () => {
    const sent = new Request(`${origin}/a?b`)
    expect(toWebRequest(toServerRequest(sent))).toBe(sent)
  })

  test('keeps its method and body at another URL and with other headers', async () => {
    const sent = new Request(`${origin}/a`, { method: 'POST', body: 'posted' })
    const headers = new Headers({ 'x-a': '1' })
    const web = toWebRequest(toServerRequest(sent), { path: '/b?c', headers })
    expect([web.url, web.method, await web.text()]).toEqual([`${origin}/b?c`, 'POST', 'posted'])
    expect([...web.headers]).toEqual([['x-a', '1']])
  })

  test('of a prefetch has the header of browsers, and none of the framework', () => {
    const sent = new Request(`${origin}/a`, { headers: { 'waymark-prefetch': 'page' } })
    const names = ['sec-purpose', 'x-forwarded-host', 'x-forwarded-proto']
    expect([...toWebRequest(toServerRequest(sent)).headers.keys()]).toEqual(names)
    expect([...readonlyHeadersOf(toServerRequest(sent)).keys()]).toEqual(names)
  })

  test.each([
    ['as sent', undefined],
    ['at another URL', { path: '/b' }],
    ['with other headers', { headers: new Headers() }],
  ])(
    'aborts its signal when the client leaves, even if only the signal is in use: %s',
    async (_, shape) => {
      const controller = new AbortController()
      const { signal } = controller
      const sent = new Request(`${origin}/a`, { signal })
      const onAbort = vi.fn()
      // Pass the signal separately, because an adapter knows the client's signal from elsewhere than the Request.
      const request = { ...toServerRequest(sent), signal }
      toWebRequest(request, shape).signal.addEventListener('abort', onAbort)
      await collectGarbage()
      controller.abort()
      expect(onAbort).toHaveBeenCalledOnce()
    },
  )
})
