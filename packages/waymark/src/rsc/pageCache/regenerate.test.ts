import { AsyncLocalStorage } from 'node:async_hooks'
import { expect, test } from 'vitest'
import type { PrerenderedUrl } from '../../builds/cachedPage.ts'
import { regeneratePage } from './regenerate.ts'

test('a shared page is rendered outside of the context of the request that started it', async () => {
  const user = new AsyncLocalStorage<string>()
  const seen: unknown[] = []
  const render = async (): Promise<PrerenderedUrl> => {
    seen.push(user.getStore())
    await Promise.resolve()
    seen.push(user.getStore())
    return { kind: 'dynamic', reason: 'cookies()' }
  }
  const url = { pathname: '/a', pattern: '/a', wasCached: false }
  await user.run('ada', () => regeneratePage(url, { render, report: () => '' }))
  expect(seen).toEqual([undefined, undefined])
})
