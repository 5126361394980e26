import { expect, test } from 'vitest'
import { allReads, everything, followedTags, named } from './liveTags.ts'

const path = () => ['path']

test('a page that is not live follows nothing', () => {
  expect(followedTags(new Set(['notes']), path)).toBe(null)
})

test('a live page follows its path and all tags that it has read', () => {
  expect(followedTags(new Set(['notes', allReads]), path)).toEqual(['notes', 'path'])
})

test('a page that names tags follows only these', () => {
  expect(followedTags(new Set(['notes', 'users', ...named('notes')]), path)).toEqual(['notes'])
})

test('a page that reads too many or too long tags follows everything', () => {
  const many = Array.from({ length: 600 }, (_, at) => `tag${at}`)
  expect(followedTags(new Set([...many, allReads]), path)).toEqual([everything])
  expect(followedTags(new Set(named('x'.repeat(201))), path)).toEqual([everything])
})

test('a page whose tags are too long in total, or that caches encode differently, follows everything', () => {
  const long = Array.from({ length: 100 }, (_, at) => `${at}`.padEnd(150, '漢'))
  expect(followedTags(new Set([...long, allReads]), path)).toEqual([everything])
  expect(followedTags(new Set(named('a\nb')), path)).toEqual([everything])
})

test('a tag that a cached page names also ends that page', () => {
  expect(named('stock')).toContain('stock')
})
