import { expect, test } from 'vitest'
import { idempotencyKeyPattern } from '../shared/protocol.ts'
import { insertAtHeadEnd, withFormKeys } from './htmlEdits.ts'

const field = /<input type="hidden" name="\$ACTION_IDEMPOTENCY_KEY" value="([^"]*)"\/>/g
const keysOf = (html: string) => [...html.matchAll(field)].map(([, key]) => key)

test('each form gets a key that the server takes, before the fields of its action', () => {
  const form = (name: string) => `<form action=""><input type="hidden" name="${name}"/>a</form>`
  const html = form('$ACTION_ID_a#b') + form('$ACTION_REF_1')
  const keyed = withFormKeys(html)
  expect(keyed.replaceAll(field, '')).toBe(html)
  const keys = keysOf(keyed)
  expect(new Set(keys).size).toBe(2)
  for (const key of keys) expect(key).toMatch(idempotencyKeyPattern)
  expect(keyed).toMatch(/<form action=""><input type="hidden" name="\$ACTION_IDEMPOTENCY_KEY"/)
})

test('a button with an action of its own gets one beside it', () => {
  const html = '<form><button name="$ACTION_ID_a#b" formAction="">Go</button></form>'
  expect(withFormKeys(html)).toMatch(/^<form><input [^>]*\/><button name="\$ACTION_ID_a#b"/)
})

test('keys are new in each document', () => {
  const html = '<form><input type="hidden" name="$ACTION_ID_a#b"/></form>'
  expect(keysOf(withFormKeys(html))).not.toEqual(keysOf(withFormKeys(html)))
})

test.each([
  '<p> name=&quot;$ACTION_ID_x&quot;</p><script>" name=\\"$ACTION_ID_x\\""</script>',
  // HTML of the app's own making, as highlighted code is.
  '<pre><b>&lt;input</b> type="hidden" name="$ACTION_ID_x"/></pre>',
  '<p title="<input"> name="$ACTION_REF_1"</p>',
])('what only reads like one stays as it is: %s', (html) => {
  expect(withFormKeys(html)).toBe(html)
})

test.each([
  '<script type="application/ld+json">{"x":"</head><body>"}</script>',
  '<style>a::after{content:"</head>"}</style>',
  '<noscript><link rel="stylesheet" href="/a.css" title="</head>"/></noscript>',
  '<title>a</title><meta content="&lt;/head&gt;"/>',
])('what goes to the end of a head stands behind %s', (inside) => {
  const html = (inserted: string) => `<html><head>${inside}${inserted}</head><body>a</head></body>`
  expect(insertAtHeadEnd(html(''), '<style>b</style>')).toBe(html('<style>b</style>'))
})
