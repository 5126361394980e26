import { expect, test } from 'vitest'
import { endToEnd } from './forward.ts'

test('headers of the connection stay with it, and so do those that it names', () => {
  const headers = new Headers({
    accept: 'text/plain',
    connection: 'close, X-Mine',
    expect: '100-continue',
    'keep-alive': 'timeout=5',
    'proxy-authorization': 'Basic x',
    te: 'trailers',
    trailer: 'x-sum',
    'transfer-encoding': 'chunked',
    upgrade: 'h2c',
    'x-mine': '1',
    'x-other': '2',
  })
  expect([...endToEnd(headers)]).toEqual([
    ['accept', 'text/plain'],
    ['x-other', '2'],
  ])
})
