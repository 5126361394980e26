import { expect, test } from 'vitest'
import { readonlyHeadersOf } from './api.ts'
import { correctForwarding } from './forwarding.ts'
import { toWebRequest } from './readBody.ts'
import { anonymousRequest } from './readRequest.ts'

const forged = {
  'x-forwarded-for': '6.6.6.6',
  'x-forwarded-host': 'evil.example',
  'x-forwarded-port': '666',
  'x-forwarded-proto': 'gopher',
  'x-real-ip': '6.6.6.6',
  'x-forwarded-user': 'ada',
  forwarded: 'for=6.6.6.6;host=evil.example',
}
const connection = { forwardedFor: '10.0.0.7', remoteAddress: '10.0.0.7' }
const sent = {
  ...anonymousRequest('/'),
  ...connection,
  origin: 'https://site.test',
  headers: new Headers(forged),
}
const corrected = {
  'x-forwarded-for': '10.0.0.7',
  'x-forwarded-host': 'site.test',
  'x-forwarded-proto': 'https',
  'x-forwarded-user': 'ada',
  'x-real-ip': '10.0.0.7',
}

test('forwarding headers have the values that the server knows', () => {
  const headers = new Headers(forged)
  correctForwarding(headers, sent)
  expect(Object.fromEntries(headers)).toEqual(corrected)
})

test('headers without a known value are removed, and host and scheme are always set', () => {
  const headers = new Headers(forged)
  correctForwarding(headers, { ...sent, forwardedFor: null, remoteAddress: undefined })
  expect(headers.has('x-forwarded-for')).toBe(false)
  expect(headers.has('x-real-ip')).toBe(false)
  const plain = new Headers({ accept: '*/*' })
  const request = { ...sent, headers: plain, toRequest: () => new Request('https://site.test/') }
  const added = { 'x-forwarded-host': 'site.test', 'x-forwarded-proto': 'https' }
  expect(Object.fromEntries(toWebRequest(request).headers)).toEqual(added)
  expect(Object.fromEntries(readonlyHeadersOf(request))).toEqual({ accept: '*/*', ...added })
})

test('pages, route handlers, proxy.ts and around() see the corrected headers', () => {
  const request = {
    ...sent,
    toRequest: () => new Request('https://site.test/', { headers: forged }),
  }
  expect(Object.fromEntries(toWebRequest(request).headers)).toEqual(corrected)
  expect(Object.fromEntries(readonlyHeadersOf(request))).toEqual(corrected)
})
