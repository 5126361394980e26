import { describe, expect, test } from 'vitest'
import { findSegment, initialInstances } from '../../components/Slot.tsx'
import type { Payload } from '../../wire/payload.ts'
import {
  completePage,
  isOver,
  layoutKeys,
  movedPage,
  type Page,
  withoutPageInstance,
} from './page.ts'

const payload = (leaf: string, segments: Record<string, string>): Payload => ({
  tree: { key: 'root', slots: { children: { key: 'blog', slots: { children: { key: leaf } } } } },
  route: { pathname: `/blog/${leaf}`, search: '', params: {} },
  head: null,
  segments,
})
const mounted = (): Page => {
  const first = payload('a', { root: 'R', blog: 'B', a: 'A' })
  return {
    ...first,
    key: 'k1',
    version: 0,
    fetchedAtMs: 1,
    from: '/',
    instances: initialInstances(first),
  }
}
const entry = { key: 'k2', version: 0, fetchedAtMs: 2 }

test('omitted segments come from the mounted page', () => {
  const page = completePage(payload('b', { b: 'new' }), mounted(), entry)
  expect(page.segments).toEqual({ root: 'R', blog: 'B', b: 'new' })
})

test('shared layouts keep their instance, and a page visited again gets a new one', () => {
  const first = mounted()
  const second = completePage(payload('b', { b: 'b' }), first, entry)
  const third = completePage(payload('a', { a: 'a' }), second, { ...entry, fetchedAtMs: 3 })
  expect(third.instances.blog).toBe(first.instances.blog)
  expect(third.instances.a).not.toBe(first.instances.a)
})

test('a refreshed page keeps its instances', () => {
  const first = mounted()
  const again = completePage(payload('a', { root: 'R2', blog: 'B2', a: 'A2' }), first, entry)
  expect(again.instances).toEqual(first.instances)
  expect(again.segments.a).toBe('A2')
})

test('without the instance of its page segment, only the layouts stay mounted', () => {
  const first = mounted()
  const again = completePage(payload('a', { a: 'A2' }), withoutPageInstance(first), entry)
  expect(again.instances).toMatchObject({ root: first.instances.root, blog: first.instances.blog })
  expect(again.instances.a).not.toBe(first.instances.a)
  expect(again.segments.blog).toBe('B')
})

test('for interceptions, a page over another one counts as that page', () => {
  const { from } = completePage(payload('b', { b: 'new' }), mounted(), entry)
  const over = completePage({ ...payload('b', { b: 'new' }), isOver: true }, mounted(), entry)
  expect([from, over.from]).toEqual(['/blog/b', '/'])
})

test('a slot keeps its content if the next segment is neither sent nor mounted', () => {
  const beside = (side: string): Payload => ({
    tree: { key: 'root', slots: { children: { key: 'a' }, side: { key: side } } },
    route: { pathname: '/a', search: '', params: {} },
    head: null,
    segments: {},
  })
  const mountedPage: Page = {
    ...mounted(),
    ...beside('other'),
    segments: { root: 'R', a: 'A', other: 'O' },
  }
  const page = completePage({ ...beside('gone'), isOver: true }, mountedPage, entry)
  expect(page.segments).toEqual({ root: 'R', a: 'A', other: 'O' })
})

test('a new address changes the page for interceptions, unless it is over another page', () => {
  const url = new URL('http://a.example/c?d')
  const filling = completePage(payload('b', {}), mounted(), entry)
  expect(movedPage(filling, { key: 'k3', url })).toMatchObject({
    key: 'k3',
    from: '/c',
    route: { pathname: '/c', search: '?d' },
  })
  const over = completePage({ ...payload('b', {}), isOver: true }, mounted(), entry)
  expect([isOver(filling), isOver(over), movedPage(over, { key: 'k3', url }).from]).toEqual([
    false,
    true,
    '/',
  ])
  expect(movedPage(filling, { key: 'k3' })).toEqual({ ...filling, key: 'k3' })
})

test('a page that moves several times keeps the address of its HTML', () => {
  const moves = ['http://a.example/?b', 'http://a.example/?c']
  const moved = moves.reduce(
    (page, url) => movedPage(page, { key: 'k', url: new URL(url) }),
    mounted(),
  )
  expect(moved.rendered).toEqual(mounted().route)
})

describe('a slot for which the next page has only a default', () => {
  const beside = (children: string, side: Payload['tree']): Payload => ({
    ...payload(children, { root: 'R', [children]: children, [side.key]: side.key }),
    tree: { key: 'root', slots: { children: { key: children }, side } },
  })
  const empty = { key: 'side#default' }
  const news = { key: 'side', slots: { children: { key: 'side/news#page' } } }
  const pageWith = (first: Payload): Page => ({ ...mounted(), ...first, segments: first.segments })
  const sideOf = (before: Payload, next: Payload) =>
    completePage(next, pageWith(before), entry).tree.slots?.side

  test.each([
    ['keeps its page', beside('a', news), beside('b', empty), news],
    [
      'shows another page instead',
      beside('a', news),
      beside('b', { key: 'side/2' }),
      { key: 'side/2' },
    ],
    ['shows the default if it had no page', beside('a', empty), beside('b', empty), empty],
    [
      'shows the default beside the screen of a 404',
      beside('a', news),
      beside('#not-found', empty),
      empty,
    ],
  ])('%s', (_, before, next, expected) => expect(sideOf(before, next)).toEqual(expected))

  test('keeps its content until its layout changes', () => {
    const page = completePage(beside('b', empty), pageWith(beside('a', news)), entry)
    expect(page.segments).toEqual({ root: 'R', b: 'b', side: 'side' })
    expect(page.beside).toEqual(['/blog/a'])
    const part = { pathname: '/blog/a', search: '', from: '/', keys: ['side', 'side/news#page'] }
    expect(page.staying).toEqual([part])
    expect(completePage(beside('d', empty), page, entry).staying).toEqual([part])
    expect(completePage(beside('c', news), page, entry).beside).toEqual([])
    const other = { ...beside('b', empty), tree: { ...beside('b', empty).tree, key: 'root:2' } }
    expect(sideOf(beside('a', news), other)).toEqual(empty)
  })
})

test('only layouts count as mounted, because pages are always requested', () => {
  expect(layoutKeys(mounted().tree)).toEqual(['root', 'blog'])
})

test('segments are found at any depth', () => {
  const { tree } = mounted()
  expect(findSegment(tree, 'a')).toEqual({ key: 'a' })
  expect(findSegment(tree, 'none')).toBeNull()
})
