import { describe, expect, test } from 'vitest'
import { type Load, maxLoads } from '../shared/load.ts'
import type { Vital } from '../shared/vital.ts'
import { parseBeacon } from './parseBeacon.ts'

const load: Load = { route: '/a', kind: 'push', outcome: 'page', ms: 12, attempts: 1 }
const vital: Vital = { route: '/a', name: 'CLS', isSoft: true, value: 12 }
const beacon = { build: 'b1', loads: [load], vitals: [vital] }
const withLoad = (changes: object) => ({ ...beacon, loads: [{ ...load, ...changes }] })

describe('a beacon', () => {
  test.each([
    ['a page', {}],
    ['a fallback', { outcome: 'fallback', status: 404 }],
    ['an error', { outcome: 'error', digest: '6r3v-0m2k-x7q' }],
    ['an error without a digest', { outcome: 'error' }],
    ['a notice', { outcome: 'notice', end: 'arrived', cause: 'timed-out', attempts: 3 }],
    ['a document that nobody saw', { kind: 'document', ms: null }],
    ['a URL without a route', { route: null }],
    ['a late load', { ms: 2_000, late: 'code' }],
  ])('of %s is read as it was written', (_, changes) => {
    const sent = withLoad(changes)
    expect(parseBeacon(JSON.stringify(sent))).toEqual(sent)
  })

  test.each([
    ['no JSON', '{'],
    ['a text', '"a"'],
    ['null', 'null'],
    ['a list', '[]'],
    ['deep lists', `${'['.repeat(8000)}${']'.repeat(8000)}`],
    ['no loads and vitals', JSON.stringify({ build: 'b1', loads: [], vitals: [] })],
    ['loads that are not a list', JSON.stringify({ ...beacon, loads: { length: 1, 0: load } })],
    ['too many loads', JSON.stringify({ ...beacon, loads: Array(maxLoads + 1).fill(load) })],
    ['vitals that are not a list', JSON.stringify({ ...beacon, vitals: { length: 1, 0: vital } })],
    ['too many vitals', JSON.stringify({ ...beacon, vitals: Array(maxLoads + 1).fill(vital) })],
    ['another field', JSON.stringify({ ...beacon, user: 1 })],
    ['a build with invalid characters', JSON.stringify({ ...beacon, build: 'a\nb' })],
    ['a long build', JSON.stringify({ ...beacon, build: 'a'.repeat(65) })],
    ['a prototype', '{"build":"b","loads":[],"vitals":[],"__proto__":{"loads":[]}}'],
    [
      'a prototype in a load',
      '{"build":"b","vitals":[],"loads":[{"__proto__":{"route":"/a","kind":"push","outcome":"page","ms":1,"attempts":1}}]}',
    ],
  ])('with %s is refused', (_, text) => {
    expect(parseBeacon(text)).toBeNull()
  })

  test.each<[string, object]>([
    ['a route that is a number', { route: 1 }],
    ['a route that is an object', { route: { toString: 1 } }],
    ['a long route', { route: `/${'a'.repeat(1000)}` }],
    ['an unknown kind', { kind: 'constructor' }],
    ['an unknown outcome', { outcome: '__proto__' }],
    ['an outcome in a list', { outcome: ['page'] }],
    ['a negative time', { ms: -1 }],
    ['a time that is a text', { ms: '12' }],
    ['a time beyond a day', { ms: 1e12 }],
    ['no attempt', { attempts: 0 }],
    ['half an attempt', { attempts: 1.5 }],
    ['too many attempts', { attempts: 1e9 }],
    ['an unknown cause', { cause: 'toString' }],
    ['a fallback without a status', { outcome: 'fallback' }],
    ['a fallback with another status', { outcome: 'fallback', status: 200 }],
    ['a page with a status', { status: 404 }],
    ['a malformed digest', { outcome: 'error', digest: 'x' }],
    ['a page with a digest', { digest: '6r3v-0m2k-x7q' }],
    ['a notice without an end', { outcome: 'notice' }],
    ['a page with an end', { end: 'left' }],
    ['a field of its own', { url: '/secret' }],
  ])('with %s is refused', (_, changes) => {
    expect(parseBeacon(JSON.stringify(withLoad(changes)))).toBeNull()
  })

  test.each<[string, object]>([
    ['an unknown name', { name: 'FCP' }],
    ['a name from the prototype', { name: 'constructor' }],
    ['a negative value', { value: -1 }],
    ['half a value', { value: 0.5 }],
    ['a value beyond a day', { value: 1e12 }],
    ['a text for a flag', { isSoft: 'true' }],
    ['a route that is a list', { route: ['/a'] }],
    ['a field of its own', { url: '/secret' }],
  ])('with a vital of %s is refused', (_, changes) => {
    const sent = { ...beacon, vitals: [vital, { ...vital, ...changes }] }
    expect(parseBeacon(JSON.stringify(sent))).toBeNull()
  })

  test('with vitals only is read as it was written', () => {
    const sent = { ...beacon, loads: [] }
    expect(parseBeacon(JSON.stringify(sent))).toEqual(sent)
  })

  test.each(['1e999', '-1e999', 'NaN', '-0.5'])('with the time %s is refused', (ms) => {
    expect(parseBeacon(JSON.stringify(beacon).replace('"ms":12', `"ms":${ms}`))).toBeNull()
  })
})
