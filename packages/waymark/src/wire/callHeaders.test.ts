import { expect, test } from 'vitest'
import { callHeaders, changeOf } from './callHeaders.ts'
import { buildOf, loadDocumentResponse, refusalOf, wantsFresh } from './protocol.ts'

const key = 'a'.repeat(16)

test('a call has headers only for the properties that it sets', () => {
  const plain = { id: 'save', key, from: '/' }
  expect(callHeaders(plain)).toEqual({
    accept: 'text/x-component',
    'waymark-action': 'save',
    'waymark-idempotency-key': key,
    'waymark-from': '/',
  })
  expect(callHeaders({ ...plain, beside: [], isQueued: false, user: null })).toEqual(
    callHeaders(plain),
  )
  expect(callHeaders({ ...plain, beside: ['/a', '/b'], isQueued: true, user: 'sealed' })).toEqual({
    ...callHeaders(plain),
    'waymark-beside': '/a,/b',
    'waymark-queued': '1',
    'waymark-user': 'sealed',
  })
})

test.each([
  [[], null],
  [['data'], 'data'],
  [['session'], 'session'],
  [['data', 'session'], 'session'],
  [['session', 'data'], 'session'],
])('a response whose action changed %j', (lines, change) => {
  const headers = new Headers(lines.map((line) => ['waymark-changed', line]))
  expect(changeOf({ headers })).toBe(change)
})

test('only a response of Waymark names its build, or a refusal', () => {
  const headers = new Headers({ 'waymark-build': 'b1', 'waymark-refusal': 'stale' })
  expect([buildOf({ headers }), refusalOf({ headers })]).toEqual(['b1', 'stale'])
  const ofProxy = new Response('Bad Gateway', { status: 502 })
  expect([buildOf(ofProxy), refusalOf(ofProxy)]).toEqual([null, null])
})

test('the router asks for fresh data with a header', () => {
  expect(wantsFresh(new Request('http://a.test/', { headers: { 'waymark-fresh': '1' } }))).toBe(
    true,
  )
  expect(wantsFresh(new Request('http://a.test/'))).toBe(false)
})

test('a response without data sends the router to the document', async () => {
  const response = loadDocumentResponse(503)
  expect(response.status).toBe(503)
  expect(response.headers.get('waymark-document')).toBe('1')
  expect(await response.text()).toBe('')
})
