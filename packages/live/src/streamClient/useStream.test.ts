import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { expect, test, vi } from 'vitest'
import { createClientStream } from './clientStream.ts'
import { useStream } from './useStream.ts'

function State({ url }: { url: string | null }) {
  const { state, data, error } = useStream(url, { since: '7' })
  return data === undefined && error === null ? state : 'neither'
}

test.each([
  ['/events', 'connecting'],
  [null, 'closed'],
])('a server renders the stream %s as %s', (url, state) => {
  expect(renderToString(createElement(State, { url }))).toBe(state)
})

test('without a URL nothing is requested', async () => {
  vi.useFakeTimers()
  const send = vi.fn()
  const stream = createClientStream({ url: null, since: null, fetch: send })
  stream.start(() => {})
  stream.connect()
  stream.reconnect()
  await vi.advanceTimersByTimeAsync(60_000)
  vi.useRealTimers()
  expect(stream.get().state).toBe('closed')
  expect(send).not.toHaveBeenCalled()
})
