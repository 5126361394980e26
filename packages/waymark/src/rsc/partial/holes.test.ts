import { createElement, type ReactElement, type ReactNode, Suspense } from 'react'
import { describe, expect, test, vi } from 'vitest'
import type { Payload } from '../../wire/payload.ts'
import { fillHoles, findHoles, nodeAt, sourceOf } from './holes.ts'

// Mock React's runtime, because it needs a bundler and isn't under test.
vi.mock('@vitejs/plugin-rsc/rsc.node', () => ({}))

const later = new Promise<string>(() => {})

/** Creates a resolved promise in the form in which React's decoder returns it. */
const there = (value: ReactElement) =>
  Object.assign(Promise.resolve(value), { status: 'fulfilled', value })

function payload(page: ReactNode, others: Record<string, ReactNode> = {}): Payload {
  const route = { pathname: '/', search: '', params: {} }
  return { tree: { key: 'page' }, route, head: null, segments: { page, ...others } }
}

const boundary = (children: ReactNode, key?: string) =>
  createElement(Suspense, { fallback: 'waiting', ...(key ? { key } : {}) }, children)

const nothing = () => false

describe('a head with a part that waits for its guards', () => {
  const initialTags = [createElement('title', { key: 'title' }, 'early')]
  const streamedHead = (children: ReactNode) => ({
    ...payload(boundary(later)),
    head: there(createElement('late-head', { early: initialTags } as object, children)),
  })

  test('is a separate hole', () => {
    const { holes, isOpen } = findHoles(streamedHead(later), nothing)
    expect(isOpen).toBe(false)
    expect(holes).toContainEqual(['head', 'children'])
  })

  test('is filled with the whole head, and the early tags stay', () => {
    const path = ['head', 'children']
    expect(sourceOf(path)).toEqual(['head'])
    const { head } = fillHoles(streamedHead(later), [path], () => 'all of it')
    expect((head as ReactElement<object>).props).toEqual({
      early: initialTags,
      children: 'all of it',
    })
  })

  test('is not a hole once it is complete', () => {
    expect(findHoles(streamedHead('there'), nothing).holes).not.toContainEqual(['head', 'children'])
  })
})

describe('the holes of a payload', () => {
  test('are the pending boundaries', () => {
    const page = createElement('main', null, 'a', boundary(later), boundary('there'))
    expect(findHoles(payload(page), nothing)).toEqual({
      holes: [['segments', 'page', 'children', 1, 'children']],
      isOpen: false,
    })
  })

  test('are searched once in data that occurs repeatedly or is circular', () => {
    let data: object = {}
    Object.assign(data, { data })
    for (let level = 0; level < 60; level++) data = { one: data, other: data }
    const page = createElement('main', { data } as object, boundary(later), boundary(later))
    expect(findHoles(payload(page), nothing)).toEqual({
      holes: [0, 1].map((at) => ['segments', 'page', 'children', at, 'children']),
      isOpen: false,
    })
  })

  test('are in each place of a pending node', () => {
    const shared = createElement('p', null, boundary(later))
    const page = createElement('main', null, shared, shared)
    expect(findHoles(payload(page), nothing).holes).toHaveLength(2)
  })

  test('are found inside of parts that have arrived', () => {
    const page = createElement('main', null, there(boundary(createElement('p', null, later))))
    const { holes, isOpen } = findHoles(payload(page), nothing)
    expect(isOpen).toBe(false)
    expect(holes).toHaveLength(1)
  })

  test('include the boundaries inside of them', () => {
    const page = boundary([later, boundary(later, 'inner')])
    expect(findHoles(payload(page), nothing).holes).toEqual([['segments', 'page', 'children']])
  })

  test('inside of a complete boundary are separate', () => {
    const page = boundary(createElement('p', null, 'there', boundary(later)))
    expect(findHoles(payload(page), nothing).holes).toEqual([
      ['segments', 'page', 'children', 'children', 1, 'children'],
    ])
  })

  test.each([
    ['a part outside of Suspense', createElement('main', null, later)],
    ['a fallback', createElement(Suspense, { fallback: later }, later)],
    ['a value in a map', createElement('x-y', { data: new Map([['a', later]]) } as object)],
    ['a stream', createElement('x-y', { data: new ReadableStream() } as object)],
  ])('if %s is pending, there is no shell', (_, page) => {
    expect(findHoles(payload(page), nothing).isOpen).toBe(true)
  })

  test('a pending segment is a hole inside of a loading file; otherwise there is no shell', () => {
    expect(findHoles(payload(later), (key) => key === 'page')).toEqual({
      holes: [['segments', 'page']],
      isOpen: false,
    })
    expect(findHoles(payload(later), nothing).isOpen).toBe(true)
    expect(findHoles({ ...payload('a'), head: later }, nothing).isOpen).toBe(true)
  })
})

describe('a hole', () => {
  const holesOf = (page: ReactNode) => findHoles(payload(page), nothing).holes

  test('is filled in a copy of the payload', () => {
    const shell = payload(createElement('main', null, 'a', there(boundary(later))))
    const { holes } = findHoles(shell, nothing)
    const filled = fillHoles(shell, holes, () => 'content')
    expect(JSON.stringify(filled.segments.page)).toContain('content')
    expect(JSON.stringify(shell.segments.page)).not.toContain('content')
  })

  test('is found in another rendering while that arrives', async () => {
    const [path = []] = holesOf(createElement('main', null, 'a', boundary(later)))
    const page = Promise.resolve(createElement('main', null, 'b', boundary('content')))
    expect(await nodeAt(payload(page), path)).toEqual({ node: 'content' })
  })

  test('is found by key if items have moved', async () => {
    const list = (keys: string[], content: (key: string) => ReactNode) =>
      createElement('ul', null, [keys.map((key) => boundary(content(key), key))])
    const [path = []] = holesOf(list(['a'], () => later))
    const node = await nodeAt(payload(list(['new', 'a'], (key) => `item ${key}`)), path)
    expect(node).toEqual({ node: 'item a' })
  })

  test.each([
    ['something else', createElement('main', null, 'a', createElement('p', null, 'b'))],
    ['nothing', createElement('main', null, 'a')],
  ])('is not found if %s is in its place', async (_, page) => {
    const [path = []] = holesOf(createElement('main', null, 'a', boundary(later)))
    expect(await nodeAt(payload(page), path)).toBeNull()
  })
})
