import { expect, test } from 'vitest'
import { findSensitive, prepareSensitive } from './sensitive.ts'

const secret = `s3cret/of "the' <seed> & ünïcode+`
const values = prepareSensitive({ values: [secret] })
const encodings = (text: string) => findSensitive(text, values).map(({ encoding }) => encoding)
const base64 = (text: string) => Buffer.from(text).toString('base64')

test.each<[title: string, text: string, encoding: string]>([
  ['as it is', `<p>${secret}</p>`, ''],
  ['in JSON', JSON.stringify({ secret }), 'JSON'],
  ['in JSON within JSON', JSON.stringify(JSON.stringify({ secret })), 'JSON'],
  ['in JSON within a script', JSON.stringify({ secret }).replaceAll('<', '\\u003c'), 'JSON'],
  ['in HTML', `<p>s3cret/of &quot;the&#x27; &lt;seed&gt; &amp; ünïcode+</p>`, 'HTML'],
  ['in a URL', `/a?b=${encodeURIComponent(secret)}`, 'percent-encoding'],
  ['in a form', new URLSearchParams({ secret }).toString(), 'percent-encoding'],
  ['in base64', base64(secret), 'base64'],
  ['in base64, after one byte', base64(`a${secret}z`), 'base64'],
  ['in base64, after two bytes', base64(`ab${secret}zz`), 'base64'],
  ['in base64, after three bytes', base64(`abc${secret}zzz`), 'base64'],
  ['in base64url', Buffer.from(`ab${secret}`).toString('base64url'), 'base64url'],
])('finds a value %s', (_, text, encoding) => {
  // A part of base64 can have no character in which base64url differs.
  expect(encodings(text)).toEqual([
    expect.stringContaining(encoding.replace('base64url', 'base64')),
  ])
})

test('finds no value in other text', () => {
  expect(encodings(secret.slice(0, -1))).toEqual([])
  expect(encodings(base64(secret.slice(2)))).toEqual([])
})

test('a report contains only the beginning of a value', () => {
  expect(findSensitive(secret, values)).toEqual([{ kind: 'value', label: 's3c…', encoding: '' }])
})

test.each<[text: string, isFound: boolean]>([
  ['{"passwordHash":"x"}', true],
  ['{"passwordHash" : "x"}', true],
  [JSON.stringify('{"passwordHash":"x"}'), true],
  ['<div data-user="{&quot;passwordHash&quot;:1}">', true],
  ['["passwordHash"]', false],
  ['{"label":"passwordHash"}', false],
  ['{"myPasswordHash":1,"passwordHashes":1}', false],
  ['<input name="passwordHash">', false],
  ['Fill in passwordHash: it is needed', false],
])('finds a field in %s: %s', (text, isFound) => {
  const fields = prepareSensitive({ fields: ['passwordHash'] })
  expect(findSensitive(text, fields).length > 0).toBe(isFound)
})

test('finds a field of an object that Node has printed in a log', () => {
  const fields = prepareSensitive({ fields: ['passwordHash'] })
  const find = (text: string) => findSensitive(text, fields, { inLog: true }).length
  expect(find("{ id: 1, passwordHash: 'x' }")).toBe(1)
  expect(find('passwordHash: missing')).toBe(0)
})

test('names with characters of regular expressions are plain text', () => {
  const fields = prepareSensitive({ fields: ['a.b', '(a+)+$'] })
  expect(findSensitive('{"axb":1}', fields)).toEqual([])
  expect(findSensitive('{"(a+)+$":1}', fields)).toHaveLength(1)
})

test('refuses values that a search would find by chance', () => {
  expect(() => prepareSensitive({ values: ['abc'] })).toThrow(
    'sensitive.values[0] has 3 characters',
  )
})
