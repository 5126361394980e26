import { expect, test } from 'vitest'
import { searchOfWhole, wholeDocumentLink, wholeSearch } from './completeDocument.ts'

test.each(['', '?a=1', '?a=1&b', '?waymark-whole=2', '?a=%26waymark-whole=1'])(
  'the query %s is restored',
  (search) => expect(searchOfWhole(wholeSearch(search))).toBe(search),
)

test.each([
  ['?waymark-whole=1&utm=x', '?utm=x'],
  ['?a=1&waymark-whole=1&waymark-whole=1', '?a=1'],
  ['', null],
  ['?waymark-whole', null],
  ['?x-waymark-whole=1', null],
  ['?a=waymark-whole=1', null],
])('%s is %s', (search, expected) => expect(searchOfWhole(search)).toBe(expected))

test('a query is escaped in the link', () => {
  expect(wholeDocumentLink(`?a="><script>&b='`)).toBe(
    '<noscript><meta http-equiv="refresh" content="0;url=?a=&quot;&gt;&lt;script&gt;&amp;b=&#x27;&amp;waymark-whole=1"><style>input,select,textarea{visibility:hidden}</style></noscript>',
  )
})
