import { expect, test } from 'vitest'
import { segmentLabels } from './hooks.ts'

const page = { key: '/blog/[slug]:slug=a%20b#page' }
const blog = { key: '/blog', slots: { children: { key: page.key } } }
const root = { key: '', slots: { children: blog, side: { key: '/@side#page' } } }

test.each([
  ['below the root', root, 'children', ['blog', 'a b']],
  ['below a layout', blog, 'children', ['a b']],
  ['in a parallel route', root, 'side', []],
  ['in a slot that does not exist', root, 'none', []],
])('%s', (_, owner, slot, labels) => {
  expect(segmentLabels(owner, slot)).toEqual(labels)
})

test('a catch-all segment is one label', () => {
  const key = '/docs/[...path]:path=a/b%2Fc#page'
  expect(segmentLabels({ key: '/docs', slots: { children: { key } } }, 'children')).toEqual([
    'a/b/c',
  ])
})
