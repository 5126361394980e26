import { describe, expect, test } from 'vitest'
import { readTraceparent, traceHeaders } from './instrumentation.ts'

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
const parentId = '00f067aa0ba902b7'
const header = `00-${traceId}-${parentId}-01`

describe('traceparent', () => {
  test('is parsed', () => {
    expect(readTraceparent(header)).toBe(header)
  })

  test('of a later version is reduced to the known parts', () => {
    expect(readTraceparent(`cc-${traceId}-${parentId}-01-more`)).toBe(header)
  })

  test.each([
    null,
    '',
    'x',
    `ff-${traceId}-${parentId}-01`,
    `00-${traceId}-${parentId}-01-more`,
    `00-${'0'.repeat(32)}-${parentId}-01`,
    `00-${traceId}-${'0'.repeat(16)}-01`,
    `00-${traceId.toUpperCase()}-${parentId}-01`,
    `00-${traceId}-${parentId}`,
    `${header}\n`,
    `00-${traceId}-${parentId}-01, ${header}`,
  ])('%j is ignored', (text) => {
    expect(readTraceparent(text)).toBeNull()
  })
})

describe('traceHeaders', () => {
  test.each([
    [{}, {}],
    [{ tracestate: 'a=1' }, {}],
    [{ traceparent: header }, { traceparent: header }],
    [
      { traceparent: header, tracestate: 'a=1' },
      { traceparent: header, tracestate: 'a=1' },
    ],
  ])('for %j returns %j', (sent, expected) => {
    expect(traceHeaders(new Headers(sent as Record<string, string>))).toEqual(expected)
  })
})
