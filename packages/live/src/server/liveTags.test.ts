import { expect, test } from 'vitest'
import { allReads, everything, followedTags, named } from './liveTags.ts'

const path = () => ['path']

test('a page that is not live follows nothing', () => {
  expect(followedTags(new Set(['notes']), path)).toBe(null)
})

test('a live page follows what it has read, and its path', () => {
  expect(followedTags(new Set(['notes', allReads]), path)).toEqual(['notes', 'path'])
})

test('what is named is followed alone', () => {
  expect(followedTags(new Set(['notes', 'users', ...named('notes')]), path)).toEqual(['notes'])
})

test('who reads too much, or too long names, follows everything', () => {
  const many = Array.from({ length: 600 }, (_, at) => `tag${at}`)
  expect(followedTags(new Set([...many, allReads]), path)).toEqual([everything])
  expect(followedTags(new Set(named('x'.repeat(201))), path)).toEqual([everything])
})

test('names that are long together, or that caches write otherwise, are everything, too', () => {
  const long = Array.from({ length: 100 }, (_, at) => `${at}`.padEnd(150, '漢'))
  expect(followedTags(new Set([...long, allReads]), path)).toEqual([everything])
  expect(followedTags(new Set(named('a\nb')), path)).toEqual([everything])
})

test('what a page that is cached names ends it, too', () => {
  expect(named('stock')).toContain('stock')
})
