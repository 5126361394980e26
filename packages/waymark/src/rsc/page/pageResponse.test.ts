import { expect, test } from 'vitest'
import { redirectResponse } from './pageResponse.ts'

test.each([
  ['/', '/_waymark/data.rsc'],
  ['/a?b=c', '/_waymark/data/a.rsc?b=c'],
  ['/a/./b/', '/_waymark/data/a/b.rsc'],
])('page data that redirects to %s leads to its data', (location, target) => {
  expect(redirectResponse({ status: 307, location }, 'data', 'b1')).toEqual({
    status: 307,
    headers: [
      ['location', target],
      ['cache-control', 'private, no-store'],
      ['waymark-build', 'b1'],
    ],
    body: null,
  })
})

test.each(['https://other.example/a', '//other.example/a', '/a#part', '/%zz', '/\\other.example'])(
  'page data that redirects to %s is left to the browser',
  (location) => {
    const { status, headers } = redirectResponse({ status: 308, location }, 'data', 'b1')
    expect([status, headers]).toEqual([204, expect.arrayContaining([['waymark-document', '1']])])
    expect(headers.some(([name]) => name === 'location')).toBe(false)
  },
)

test.each(['/a/', '/a#part', 'https://other.example/a'])(
  'a document redirects to %s',
  (location) => {
    const headers = [
      ['location', location],
      ['cache-control', 'private, no-store'],
    ]
    expect(redirectResponse({ status: 303, location }, 'document', 'b1')).toMatchObject({
      status: 303,
      headers,
    })
  },
)
