import { expect, test } from 'vitest'
import { idempotencyKeyPattern } from '../wire/protocol.ts'
import { createDocumentWriter } from './documentWriter.tsx'

type Options = Partial<Parameters<typeof createDocumentWriter>[0]>

const createWriter = (options: Options = {}) =>
  createDocumentWriter({
    onError: () => '',
    hasFormKeys: false,
    headStart: '',
    needsReact: () => false,
    ...options,
  })

const rest = (options: Options = {}) => createWriter({ headStart: null, ...options })
const withFormKeys = (html: string) => rest({ hasFormKeys: true }).html(html)

const field = /<input type="hidden" name="\$ACTION_IDEMPOTENCY_KEY" value="([^"]*)"\/>/g
const keysOf = (html: string) => [...html.matchAll(field)].map(([, key]) => key)

test('a document is written in parts: head, later HTML, payload and end', () => {
  let needsReact = false
  const writer = createWriter({
    headStart: '<script src="entry">',
    needsReact: () => needsReact,
    nonce: 'n1',
  })
  writer.insert(() => <style>a</style>)
  expect(writer.hasBegun()).toBe(false)
  expect(writer.html('<!DOCTYPE html><html><head><title>a</title></head><body><p>b</p>')).toBe(
    '<!DOCTYPE html><html><head><script src="entry"><title>a</title><style nonce="n1">a</style></head><body><p>b</p>',
  )
  expect(writer.hasBegun()).toBe(true)
  expect(writer.payload(['0:1\n'])).toBe(
    '<script nonce="n1">(self.__waymark??=[]).push("0:1\\n")</script>',
  )
  needsReact = true
  expect(writer.payload(['1:I["a"]\n'])).toContain('push(true,"1:I')
  expect(writer.payload(['2:3\n'])).toContain('push("2:3')
  expect(writer.html('<meta name="a"/><p>c</p></body></html>')).toBe(
    '<style nonce="n1">a</style><meta nonce="n1" name="a"/><p>c</p>',
  )
  expect(writer.html('</body></html>')).toBe('')
  expect(writer.end()).toBe('<script nonce="n1">self.__waymark.push(null)</script></body></html>')
})

test('an error after the start of the document adds its markup once, to the next HTML', () => {
  const reported: unknown[] = []
  const writer = createWriter({
    onError: (thrown) => {
      reported.push(thrown)
      return 'd1'
    },
    streamErrorMarkup: () => '<noscript>late</noscript>',
  })
  expect(writer.failAfterBegin('a')).toBe('d1')
  expect(writer.html('<html><head></head><body>')).toBe(
    '<html><head></head><body><noscript>late</noscript>',
  )
  expect(writer.html('<p>b</p>')).toBe('<p>b</p>')
  expect(reported).toEqual(['a'])
})

test('HTML that is not a document throws an error that names the root layout', () => {
  const refuse = (html: string) => createWriter({ rootFile: 'app/layout.tsx' }).html(html)
  expect(() => refuse('<div>a</div>')).toThrow('app/layout.tsx')
  expect(() => refuse('<!doctype html><html></html>')).not.toThrow()
})

test('each form gets a valid idempotency key in front of the fields of its action', () => {
  const form = (name: string) => `<form action=""><input type="hidden" name="${name}"/>a</form>`
  const html = form('$ACTION_ID_a#b') + form('$ACTION_REF_1')
  const keyed = withFormKeys(html)
  expect(keyed.replaceAll(field, '')).toBe(html)
  const keys = keysOf(keyed)
  expect(new Set(keys).size).toBe(2)
  for (const key of keys) expect(key).toMatch(idempotencyKeyPattern)
  expect(keyed).toMatch(/<form action=""><input type="hidden" name="\$ACTION_IDEMPOTENCY_KEY"/)
})

test.each([
  '<button name="$ACTION_ID_a#b" formAction="">Go</button>',
  '<input type="submit" name="$ACTION_ID_a#b" formAction="" value="Go"/>',
])('a button with its own action gets a key in front of it: %s', (button) => {
  const keyed = withFormKeys(`<form>${button}</form>`)
  expect(keyed).toMatch(/^<form><input type="hidden" name="\$ACTION_IDEMPOTENCY_KEY"/)
  expect(keyed.replaceAll(field, '')).toBe(`<form>${button}</form>`)
})

test('each document gets new keys', () => {
  const html = '<form><input type="hidden" name="$ACTION_ID_a#b"/></form>'
  expect(keysOf(withFormKeys(html))).not.toEqual(keysOf(withFormKeys(html)))
})

test.each([
  '<p> name=&quot;$ACTION_ID_x&quot;</p><script>" name=\\"$ACTION_ID_x\\""</script>',
  // HTML that the app itself has written, such as highlighted code.
  '<pre><b>&lt;input</b> type="hidden" name="$ACTION_ID_x"/></pre>',
  '<p title="<input"> name="$ACTION_REF_1"</p>',
  // A parameter of a link that the app repeats in a hidden field, as SearchField does.
  '<form method="get"><input type="hidden" name="$ACTION_ID_x" value="1"/></form>',
  '<form method="get"><input class="a" type="hidden" name="$ACTION_REF_1" value=""/></form>',
])('text that only looks like a form field stays unchanged: %s', (html) => {
  expect(withFormKeys(html)).toBe(html)
})

test.each([
  '<script type="application/ld+json">{"x":"</head><body>"}</script>',
  '<style>a::after{content:"</head>"}</style>',
  '<noscript><link rel="stylesheet" href="/a.css" title="</head>"/></noscript>',
  '<title>a</title><meta content="&lt;/head&gt;"/>',
])('HTML for the end of the head is inserted after %s', (inside) => {
  const html = (inserted: string) => `<html><head>${inside}${inserted}</head><body>a</head></body>`
  const writer = createWriter()
  writer.insert(() => <style>b</style>)
  expect(writer.html(html(''))).toBe(html('<style>b</style>'))
})

test('insertion callbacks run at each flush', () => {
  const writer = rest()
  const rules = ['a', 'b']
  writer.insert(() => <style>{rules.splice(0, 1)}</style>)
  expect([writer.html('-'), writer.html('-')]).toEqual(['<style>a</style>-', '<style>b</style>-'])
})

test("inserted scripts and styles get the document's nonce unless they have one", () => {
  const writer = rest({ nonce: 'n1' })
  writer.insert(() => [<style key="a">a</style>, <script key="b" nonce="own" />, <p key="c">c</p>])
  writer.insert(() => (
    <>
      <script id="d" />
      {null}
    </>
  ))
  expect(writer.html('-')).toBe(
    '<style nonce="n1">a</style><script nonce="own"></script><p>c</p><script id="d" nonce="n1"></script>-',
  )
})

test('a throwing insertion is reported, and the other insertions are written', () => {
  const thrown: unknown[] = []
  const writer = rest({ onError: (each) => String(thrown.push(each)) })
  const error = new Error('no styles')
  writer.insert(() => {
    throw error
  })
  writer.insert(() => <style>b</style>)
  expect(writer.html('-')).toBe('<style>b</style>-')
  expect(thrown).toEqual([error])
})
