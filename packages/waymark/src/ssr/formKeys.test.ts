import { expect, test } from 'vitest'
import { submissionPattern } from '../shared/protocol.ts'
import { withFormKeys } from './formKeys.ts'

const field = /<input type="hidden" name="\$ACTION_SUBMISSION" value="([^"]*)"\/>/g
const keysOf = (html: string) => [...html.matchAll(field)].map(([, key]) => key)

test('each form gets a key that the server takes, before the fields of its action', () => {
  const form = (name: string) => `<form action=""><input type="hidden" name="${name}"/>a</form>`
  const html = form('$ACTION_ID_a#b') + form('$ACTION_REF_1')
  const keyed = withFormKeys(html)
  expect(keyed.replaceAll(field, '')).toBe(html)
  const keys = keysOf(keyed)
  expect(new Set(keys).size).toBe(2)
  for (const key of keys) expect(key).toMatch(submissionPattern)
  expect(keyed).toMatch(/<form action=""><input type="hidden" name="\$ACTION_SUBMISSION"/)
})

test('a button with an action of its own gets one beside it', () => {
  const html = '<form><button name="$ACTION_ID_a#b" formAction="">Go</button></form>'
  expect(withFormKeys(html)).toMatch(/^<form><input [^>]*\/><button name="\$ACTION_ID_a#b"/)
})

test('keys are new in each document', () => {
  const html = '<form><input type="hidden" name="$ACTION_ID_a#b"/></form>'
  expect(keysOf(withFormKeys(html))).not.toEqual(keysOf(withFormKeys(html)))
})

test('what only reads like one stays as it is', () => {
  const html = '<p> name=&quot;$ACTION_ID_x&quot;</p><script>" name=\\"$ACTION_ID_x\\""</script>'
  expect(withFormKeys(html)).toBe(html)
})
