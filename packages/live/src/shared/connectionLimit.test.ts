import { expect, test } from 'vitest'
import { createConnectionLimit } from './connectionLimit.ts'

const most = { inAll: 4, perClient: 2 }

test('the connections of one client are limited', () => {
  const { take } = createConnectionLimit()
  const leave = take('203.0.113.7', most)
  expect(take('203.0.113.7', most)).not.toBeNull()
  expect(take('203.0.113.7', most)).toBeNull()
  expect(take('203.0.113.8', most)).not.toBeNull()
  leave?.()
  leave?.()
  expect(take('203.0.113.7', most)).not.toBeNull()
  expect(take('203.0.113.7', most)).toBeNull()
})

test('the connections of all clients together are limited, including unknown clients', () => {
  const { take, openCount } = createConnectionLimit()
  const leaves = [null, null, null, '203.0.113.7'].map((client) => take(client, most))
  expect(leaves).not.toContain(null)
  for (const client of [null, '203.0.113.8']) expect(take(client, most)).toBeNull()
  for (const leave of leaves) leave?.()
  expect(openCount()).toBe(0)
  expect(take('203.0.113.8', most)).not.toBeNull()
})
