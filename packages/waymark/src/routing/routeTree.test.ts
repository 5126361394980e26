import { describe, expect, test } from 'vitest'
import { checkRouteFiles } from './routeTree.ts'
import { buildRouteTree } from './testing/buildRouteTree.ts'
import { createRandom } from './testing/random.ts'

const files = [
  'layout.tsx',
  'page.tsx',
  'blog/layout.tsx',
  'blog/[slug]/page.tsx',
  'blog/new/page.tsx',
  '(shop)/cart/page.tsx',
  '@modal/default.tsx',
  '@modal/(.)cart/page.tsx',
  '@aside/default.tsx',
  'blog/parts/button.tsx',
  '_lib/page.tsx',
]

describe('a route tree', () => {
  const tree = buildRouteTree(files)

  test('nests folders, most specific first, and lists slots separately', () => {
    expect(tree).toMatchObject({ id: '', segment: { kind: 'root' } })
    expect(tree.files).toEqual({ layout: 'layout.tsx', page: 'page.tsx' })
    expect(tree.children.map(({ id }) => id)).toEqual(['blog', '(shop)'])
    expect(tree.children[0]?.children.map(({ id }) => id)).toEqual(['blog/new', 'blog/[slug]'])
    expect(Object.keys(tree.slots)).toEqual(['aside', 'modal'])
    expect(tree.slots.modal?.children[0]?.id).toBe('@modal/(.)cart')
  })

  test('leaves out folders without a route file', () => {
    expect(JSON.stringify(tree)).not.toContain('parts')
    expect(JSON.stringify(tree)).not.toContain('_lib')
  })

  test('is plain data', () => {
    expect(JSON.parse(JSON.stringify(tree))).toEqual(tree)
  })

  test('is the same for any order of the files', () => {
    const random = createRandom(7)
    const text = JSON.stringify(tree)
    for (let run = 0; run < 20; run++) {
      const shuffled = files
        .map((file) => ({ file, at: random.below(1000) }))
        .sort((a, b) => a.at - b.at)
        .map(({ file }) => file)
      expect(JSON.stringify(buildRouteTree(shuffled))).toBe(text)
    }
  })

  test('of no files is an empty root', () => {
    expect(buildRouteTree([])).toEqual({
      id: '',
      segment: { kind: 'root' },
      files: {},
      children: [],
      slots: {},
    })
  })

  test('a folder named like a prototype member is a folder', () => {
    const named = buildRouteTree(['layout.tsx', '%5F_proto__/page.tsx', 'constructor/page.tsx'])
    expect(named.children.map(({ id }) => id)).toEqual(['%5F_proto__', 'constructor'])
  })
})

describe('errors in the files', () => {
  test('are all reported, and the tree is built anyway', () => {
    const { tree, errors } = checkRouteFiles(['[/page.tsx', 'page.tsx', 'page.jsx', 'a/route.ts'])
    expect(errors.map(({ code }) => code)).toEqual([
      'SEGMENT_NAME',
      'DUPLICATE_FILE',
      'NO_ROOT_LAYOUT',
    ])
    expect(tree.children.map(({ id }) => id)).toEqual(['a'])
  })

  test('make buildRouteTree throw the first one', () => {
    expect(() => buildRouteTree(['layout.tsx', 'page.tsx', 'page.jsx', '[/page.tsx'])).toThrow(
      /SEGMENT_NAME/,
    )
  })
})
