import { expect, test } from 'vitest'
import { planFetch } from './fetchOptions.ts'

const get = { method: 'GET', url: '/a', cache: undefined, next: {}, isPersonal: false } as const
const sent = { kind: 'send', isDynamic: false, tags: [] }
const forEver = { kind: 'cache', revalidate: false, tags: [] }

test.each([
  ['nothing is set', {}, {}, sent],
  ['the request is cached by force-cache', { cache: 'force-cache' }, {}, forEver],
  ['the request sets revalidate', { next: { revalidate: 5 } }, {}, { ...forEver, revalidate: 5 }],
  [
    'only the segment sets revalidate',
    { cache: 'force-cache' },
    { revalidate: 9 },
    { ...forEver, revalidate: 9 },
  ],
  ['the request has no-store', { cache: 'no-store' }, {}, { ...sent, isDynamic: true }],
  [
    'the request sets revalidate to 0',
    { next: { revalidate: 0 } },
    {},
    { ...sent, isDynamic: true },
  ],
  ['the request only has a tag', { next: { tags: ['a'] } }, {}, { ...sent, tags: ['a'] }],
  ['the request is a POST', { method: 'POST', cache: 'force-cache' }, {}, sent],
  ['the segment caches by default', {}, { fetchCache: 'default-cache' }, forEver],
  [
    'the segment caches by default, but the request has credentials',
    { isPersonal: true },
    { fetchCache: 'default-cache' },
    sent,
  ],
  [
    'the request has credentials and force-cache',
    { isPersonal: true, cache: 'force-cache' },
    {},
    forEver,
  ],
  [
    'the segment has force-no-store',
    { cache: 'force-cache' },
    { fetchCache: 'force-no-store' },
    { ...sent, isDynamic: true },
  ],
] as const)('when %s, %j below %j is planned', (_name, request, segment, plan) => {
  expect(planFetch({ ...get, ...request }, segment)).toEqual(plan)
})

test.each([
  [{ next: { revalidate: -1 } }, {}, /fetch\("\/a"\): next\.revalidate is -1/],
  [{ next: { revalidate: Number.NaN } }, {}, /next\.revalidate is null/],
  [{ next: { tags: [''] } }, {}, /next\.tags is not valid/],
  [{ cache: 'no-store' }, { fetchCache: 'only-cache' }, /but its segment has fetchCache/],
  [{ cache: 'force-cache' }, { fetchCache: 'only-no-store' }, /but its segment has fetchCache/],
] as const)('%j below %j is refused', (request, segment, message) => {
  expect(() => planFetch({ ...get, ...request }, segment)).toThrow(message)
})
