import { describe, expect, test } from 'vitest'
import { createDocumentCounter } from './documentCounter.ts'

const create = () => createDocumentCounter(new Set(['/a', '/b']), 'b1')

describe('documents', () => {
  test('are counted by route, including cut-off ones, until the counts are taken', () => {
    const counter = create()
    counter.add({ route: '/a', status: 200, isCut: false })
    counter.add({ route: '/a', status: 304, isCut: true })
    counter.add({ route: null, status: 404, isCut: false })
    expect(counter.isEmpty()).toBe(false)
    expect(counter.take()).toEqual([
      { build: 'b1', route: '/a', sent: 2, cut: 1 },
      { build: 'b1', route: null, sent: 1, cut: 0 },
    ])
    expect(counter.isEmpty()).toBe(true)
  })

  test.each([
    ['a redirect', '/a', 307],
    ['a file', null, 200],
    ['a route handler', '/api/items', 200],
    ['an error of a route handler', '/api/items', 500],
    ['an empty response', '/a', 204],
  ])('%s does not count', (_, route, status) => {
    const counter = create()
    counter.add({ route, status, isCut: false })
    expect(counter.isEmpty()).toBe(true)
  })
})
