import { expect, test, vi } from 'vitest'
import type { StreamedBody } from './response.ts'
import { followToEnd } from './stream.ts'

test('a body that is followed has what it says of itself', () => {
  async function* pieces() {
    yield new Uint8Array([1])
  }
  const stopHeartbeat = vi.fn()
  const end = vi.fn()
  const body: StreamedBody = Object.assign(pieces(), { stopHeartbeat, end })
  expect(followToEnd(body, () => {})).toMatchObject({ stopHeartbeat, end })
  expect(followToEnd(pieces(), () => {})).not.toHaveProperty('end')
})
