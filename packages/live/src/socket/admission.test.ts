import { expect, test } from 'vitest'
import { createAdmission } from './admission.ts'

const limits = { maxSockets: 4, maxSocketsPerClient: 2 }

test('a client has its share, and gets it back', () => {
  const { enter } = createAdmission()
  const leave = enter('203.0.113.7', limits)
  expect(enter('203.0.113.7', limits)).not.toBeNull()
  expect(enter('203.0.113.7', limits)).toBeNull()
  expect(enter('203.0.113.8', limits)).not.toBeNull()
  leave?.()
  expect(enter('203.0.113.7', limits)).not.toBeNull()
})

test('all clients together have theirs, also those that are not known', () => {
  const { enter } = createAdmission()
  const leaves = [null, null, null, '203.0.113.7'].map((client) => enter(client, limits))
  expect(leaves.every((leave) => leave !== null)).toBe(true)
  for (const client of [null, '203.0.113.8']) expect(enter(client, limits)).toBeNull()
  leaves[0]?.()
  expect(enter('203.0.113.8', limits)).not.toBeNull()
})
