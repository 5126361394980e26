import { expect, test, vi } from 'vitest'
import type { QueueableActions, ServerCall } from 'waymark/plugin/client'
import { createCallQueue } from './callQueue.ts'
import { limitMs } from './limits.ts'

test('a call whose outbox does not load is sent at the limit', async () => {
  vi.useFakeTimers()
  const send = vi.fn(async () => 'done')
  const { queueCalls } = createCallQueue(() => new Promise(() => {}))
  const run = queueCalls({ send } as unknown as QueueableActions, {})
  const form = { getAttribute: () => 'queue' }
  const result = run({ args: [], submit: { form } } as unknown as ServerCall)
  await vi.advanceTimersByTimeAsync(limitMs - 1)
  expect(send).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1)
  expect(await result).toBe('done')
  vi.useRealTimers()
})
