import { expect, test } from 'vitest'
import { createDependencyTracker } from './cacheLife.ts'

test('without dependencies, the lifetime is infinite', () => {
  const { tags, revalidateSeconds, expireSeconds } = createDependencyTracker()
  expect([[...tags], revalidateSeconds, expireSeconds]).toEqual([[], null, null])
})

test('the shortest lifetime and all tags are collected', () => {
  const life = createDependencyTracker()
  life.add({ tags: ['a'], revalidateSeconds: 60, expireSeconds: null })
  life.add({ tags: ['b', 'a'], revalidateSeconds: null, expireSeconds: 300 })
  life.add({ tags: [], revalidateSeconds: 10, expireSeconds: 600 })
  expect([...life.tags]).toEqual(['a', 'b'])
  expect([life.revalidateSeconds, life.expireSeconds]).toEqual([10, 300])
})
