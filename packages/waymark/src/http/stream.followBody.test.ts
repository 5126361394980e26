import { expect, test, vi } from 'vitest'
import type { StreamedBody } from './response.ts'
import { followToEnd } from './stream.ts'

test('a followed body keeps its other properties', () => {
  async function* pieces() {
    yield new Uint8Array([1])
  }
  const stopHeartbeat = vi.fn()
  const end = vi.fn()
  const body: StreamedBody = Object.assign(pieces(), { stopHeartbeat, end })
  expect(followToEnd(body, () => {})).toMatchObject({ stopHeartbeat, end })
  expect(followToEnd(pieces(), () => {})).not.toHaveProperty('end')
})
