import { expect, test } from 'vitest'
import { findSegment, initialInstances } from '../../components/segmentInstances.ts'
import type { Payload } from '../../shared/payload.ts'
import { completePage, layoutKeys, type Page, withoutOwnInstance } from './page.ts'

const payload = (leaf: string, segments: Record<string, string>): Payload => ({
  tree: { key: 'root', slots: { children: { key: 'blog', slots: { children: { key: leaf } } } } },
  route: { pathname: `/blog/${leaf}`, search: '', params: {} },
  head: null,
  segments,
})
const mounted = (): Page => {
  const first = payload('a', { root: 'R', blog: 'B', a: 'A' })
  return { ...first, key: 'k1', fetchedAtMs: 1, from: '/', instances: initialInstances(first) }
}
const entry = { key: 'k2', fetchedAtMs: 2 }

test('segments that were left out are those that are mounted', () => {
  const page = completePage(payload('b', { b: 'new' }), mounted(), entry)
  expect(page.segments).toEqual({ root: 'R', blog: 'B', b: 'new' })
})

test('what two pages share keeps its instance, what is visited again has a new one', () => {
  const first = mounted()
  const second = completePage(payload('b', { b: 'b' }), first, entry)
  const third = completePage(payload('a', { a: 'a' }), second, { ...entry, fetchedAtMs: 3 })
  expect(third.instances.blog).toBe(first.instances.blog)
  expect(third.instances.a).not.toBe(first.instances.a)
})

test('the same page again keeps its instance, as after a refresh', () => {
  const first = mounted()
  const again = completePage(payload('a', { root: 'R2', blog: 'B2', a: 'A2' }), first, entry)
  expect(again.instances).toEqual(first.instances)
  expect(again.segments.a).toBe('A2')
})

test('without its own instance, a page keeps its layouts and is new itself', () => {
  const first = mounted()
  const again = completePage(payload('a', { a: 'A2' }), withoutOwnInstance(first), entry)
  expect(again.instances).toMatchObject({ root: first.instances.root, blog: first.instances.blog })
  expect(again.instances.a).not.toBe(first.instances.a)
  expect(again.segments.blog).toBe('B')
})

test('a page that is shown over another one counts as that one for interceptions', () => {
  const { from } = completePage(payload('b', { b: 'new' }), mounted(), entry)
  const over = completePage({ ...payload('b', { b: 'new' }), isOver: true }, mounted(), entry)
  expect([from, over.from]).toEqual(['/blog/b', '/'])
})

test('mounted layouts are named; pages are always requested', () => {
  expect(layoutKeys(mounted().tree)).toEqual(['root', 'blog'])
})

test('segments are found at any depth', () => {
  const { tree } = mounted()
  expect(findSegment(tree, 'a')).toEqual({ key: 'a' })
  expect(findSegment(tree, 'none')).toBeNull()
})
