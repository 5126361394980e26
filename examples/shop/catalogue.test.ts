import { describe, expect, test } from 'vitest'
import { products, searchProducts } from './catalogue.ts'

const everything = { q: '', sort: 'ours' } as const
const slugs = (...search: Parameters<typeof searchProducts>) =>
  searchProducts(...search).map(({ slug }) => slug)

describe('a search', () => {
  test('without words finds all products in our order', () =>
    expect(slugs(everything, 'en')).toEqual(products.map(({ slug }) => slug)))

  test('finds words in names and texts, in any case and order', () => {
    expect(slugs({ ...everything, q: 'BRANCH  vase' }, 'en')).toEqual(['bottle-vase'])
    expect(slugs({ ...everything, q: 'vase branch' }, 'de')).toEqual([])
    expect(slugs({ ...everything, q: 'fuß teetasse' }, 'de')).toEqual([])
  })

  test('combines kind and glaze', () =>
    expect(slugs({ ...everything, kind: 'bowl', glaze: 'chalk' }, 'en')).toEqual(['salad-bowl']))

  test('sorts by price, or by the name in the visitor’s language', () => {
    expect(slugs({ ...everything, kind: 'jug', sort: 'price' }, 'en')).toEqual([
      'milk-jug',
      'water-jug',
    ])
    expect(slugs({ ...everything, kind: 'cup', sort: 'name' }, 'de')).toEqual([
      'tall-mug',
      'little-cup',
      'morning-cup',
    ])
  })
})
