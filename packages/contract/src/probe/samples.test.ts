import { expect, test } from 'vitest'
import type { ContractConfig } from '../config/contractConfig.ts'
import { createFindSamples } from './samples.ts'

const config: ContractConfig = {
  paths: { '/a/[id]': '/a/1', '/b/[id]': { own: '/b/1', other: '/b/2' } },
  params: { lang: 'en', path: ['x', 'y z'] },
}

test.each([
  ['/about', [], [['', '/about']]],
  ['/a/[id]', ['/a/9'], [['', '/a/1']]],
  [
    '/b/[id]',
    [],
    [
      ['own', '/b/1'],
      ['other', '/b/2'],
    ],
  ],
  ['/[lang]/cart', ['/de/cart'], [['', '/en/cart']]],
  ['/[lang]', [], [['', '/en']]],
  ['/[lang]/posts/[slug]', ['/de/posts/b', '/de/posts/a'], [['', '/de/posts/a']]],
  ['/files/[...path]', [], [['', '/files/x/y%20z']]],
  ['/docs/[[...rest]]', [], [['', '/docs']]],
  ['/[[...rest]]', [], [['', '/']]],
  ['/c/[id]', [], []],
])('%s with the prerendered pages %j is requested at %j', (pattern, pathnames, expected) => {
  const samples = createFindSamples(config)({ pattern, pathnames })
  expect(samples.map(({ label, path }) => [label, path])).toEqual(expected)
})
