import { expect, test } from 'vitest'
import { planFetch } from './fetchOptions.ts'

const get = { method: 'GET', url: '/a', cache: undefined, next: {}, isPersonal: false } as const
const sent = { kind: 'send', isDynamic: false, tags: [] }
const forEver = { kind: 'cache', revalidate: false, tags: [] }

test.each([
  ['nothing is said', {}, {}, sent],
  ['it is forced', { cache: 'force-cache' }, {}, forEver],
  ['it may be old for a while', { next: { revalidate: 5 } }, {}, { ...forEver, revalidate: 5 }],
  ['the page may be', { cache: 'force-cache' }, { revalidate: 9 }, { ...forEver, revalidate: 9 }],
  ['it must be new', { cache: 'no-store' }, {}, { ...sent, isDynamic: true }],
  ['it is old at once', { next: { revalidate: 0 } }, {}, { ...sent, isDynamic: true }],
  ['it has a tag alone', { next: { tags: ['a'] } }, {}, { ...sent, tags: ['a'] }],
  ['it changes something', { method: 'POST', cache: 'force-cache' }, {}, sent],
  ['the segment caches', {}, { fetchCache: 'default-cache' }, forEver],
  ['and it is personal', { isPersonal: true }, { fetchCache: 'default-cache' }, sent],
  ['it is personal and forced', { isPersonal: true, cache: 'force-cache' }, {}, forEver],
  [
    'the segment forbids',
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
  [{ next: { tags: [''] } }, {}, /next\.tags is a list of/],
  [{ cache: 'no-store' }, { fetchCache: 'only-cache' }, /below a segment with fetchCache/],
  [{ cache: 'force-cache' }, { fetchCache: 'only-no-store' }, /below a segment with fetchCache/],
] as const)('%j below %j is refused', (request, segment, message) => {
  expect(() => planFetch({ ...get, ...request }, segment)).toThrow(message)
})
