import { describe, expect, it } from 'vitest'
import { evaluateConditions } from './conditionalRequest.ts'

const modifiedAtMs = Date.parse('Sat, 21 Nov 2026 10:00:00 GMT') + 400
const validators = { etag: '"abc"', modifiedAtMs, size: 1000 }
const same = 'Sat, 21 Nov 2026 10:00:00 GMT'
const earlier = 'Sat, 21 Nov 2026 09:00:00 GMT'

describe('evaluateConditions', () => {
  it.each([
    [{}, 'full'],
    [{ 'if-none-match': '"abc"' }, 'notModified'],
    [{ 'if-none-match': 'W/"abc"' }, 'notModified'],
    [{ 'if-none-match': '"x", "abc"' }, 'notModified'],
    [{ 'if-none-match': '*' }, 'notModified'],
    [{ 'if-none-match': '"abcd"' }, 'full'],
    [{ 'if-none-match': 'abc' }, 'full'],
    [{ 'if-modified-since': same }, 'notModified'],
    [{ 'if-modified-since': earlier }, 'full'],
    [{ 'if-modified-since': 'yesterday' }, 'full'],
    [{ 'if-none-match': '"x"', 'if-modified-since': same }, 'full'],
    [{ 'if-match': '"abc"' }, 'full'],
    [{ 'if-match': '*' }, 'full'],
    [{ 'if-match': 'W/"abc"' }, 'preconditionFailed'],
    [{ 'if-match': '"x"' }, 'preconditionFailed'],
    [{ 'if-unmodified-since': same }, 'full'],
    [{ 'if-unmodified-since': earlier }, 'preconditionFailed'],
    [{ 'if-match': '"abc"', 'if-unmodified-since': earlier }, 'full'],
    [{ 'if-match': '"x"', 'if-none-match': '"abc"' }, 'preconditionFailed'],
    [{ range: 'bytes=0-1', 'if-none-match': '"abc"' }, 'notModified'],
  ])('%o gives %s', (headers, kind) => {
    expect(evaluateConditions('GET', headers, validators).kind).toBe(kind)
  })

  it.each([
    ['bytes=0-0', 0, 0],
    ['bytes=0-499', 0, 499],
    ['bytes=500-', 500, 999],
    ['bytes=-1', 999, 999],
    ['bytes=-5000', 0, 999],
    ['bytes=990-5000', 990, 999],
    ['BYTES=1-2', 1, 2],
  ])('%s is a range', (range, first, last) => {
    expect(evaluateConditions('GET', { range }, validators)).toEqual({ kind: 'range', first, last })
  })

  it.each(['bytes=0-1,3-4', 'lines=0-1', 'bytes=', 'bytes=-', 'bytes=5-2', 'bytes=a-b', ''])(
    'the range %j is ignored',
    (range) => {
      expect(evaluateConditions('GET', { range }, validators).kind).toBe('full')
    },
  )

  it.each(['bytes=1000-', 'bytes=1000-2000', 'bytes=-0', 'bytes=99999999999999999999-'])(
    'the range %s is unsatisfiable',
    (range) => {
      expect(evaluateConditions('GET', { range }, validators).kind).toBe('unsatisfiable')
    },
  )

  it('an empty file has no range', () => {
    const empty = { ...validators, size: 0 }
    expect(evaluateConditions('GET', { range: 'bytes=-1' }, empty).kind).toBe('unsatisfiable')
    expect(evaluateConditions('GET', { range: 'bytes=0-' }, empty).kind).toBe('unsatisfiable')
  })

  it.each([
    ['"abc"', 'range'],
    ['W/"abc"', 'full'],
    ['"x"', 'full'],
    [same, 'range'],
    [earlier, 'full'],
  ])('If-Range %s gives %s', (ifRange, kind) => {
    const headers = { range: 'bytes=0-1', 'if-range': ifRange }
    expect(evaluateConditions('GET', headers, validators).kind).toBe(kind)
  })

  it('HEAD ignores the range', () => {
    expect(evaluateConditions('HEAD', { range: 'bytes=0-1' }, validators).kind).toBe('full')
  })
})
