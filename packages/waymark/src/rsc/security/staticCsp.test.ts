import { expect, test } from 'vitest'
import { hashSource } from './csp.ts'
import { hashDocument, hashedResponse, hashPayload } from './staticCsp.ts'

const nonce = 'aaaaaaaaaaaaaaaaaaaaaa'

test('what carries the nonce is allowed by its hash, and nothing else', () => {
  const html = `<script nonce="${nonce}">own()</script><script>foreign()</script><style nonce="${nonce}">.own{}</style>`
  const { html: sealed, inline } = hashDocument(html, nonce)
  expect(sealed).toBe('<script>own()</script><script>foreign()</script><style>.own{}</style>')
  expect(inline).toEqual({ scripts: [hashSource('own()')], styles: [hashSource('.own{}')] })
})

test('a file needs no hash, and other attributes stay', () => {
  const html = `<script type="module" src="/a.js" nonce="${nonce}" async=""></script><link rel="modulepreload" nonce="${nonce}" href="/a.js"/>`
  const { html: sealed, inline } = hashDocument(html, nonce)
  expect(sealed).toBe(
    '<script type="module" src="/a.js" async=""></script><link rel="modulepreload" href="/a.js"/>',
  )
  expect(inline).toEqual({ scripts: [], styles: [] })
})

test('a nonce in the payload goes, and what counts lengths stays right', () => {
  const html = `<p>${nonce}</p><script nonce="${nonce}">push("5:{nonce:${nonce}}")</script>`
  const { html: sealed, inline } = hashDocument(html, nonce)
  expect(sealed).not.toContain(nonce)
  expect(sealed).toHaveLength(html.length - ` nonce="${nonce}"`.length)
  const content = /<script>(.*)<\/script>/.exec(sealed)?.[1] ?? ''
  expect(inline.scripts).toEqual([hashSource(content)])
})

test('texts with dollar signs and line ends are hashed as they are sent', () => {
  const text = 'a("$&$1")\nb()'
  const { html, inline } = hashDocument(`<script nonce="${nonce}">${text}</script>`, nonce)
  expect(html).toBe(`<script>${text}</script>`)
  expect(inline.scripts).toEqual([hashSource(text)])
})

test('only documents get a policy, unless they bring their own', () => {
  const policy = {
    withNonce: () => [],
    withHashes: (): [string, string][] => [['content-security-policy', 'p']],
  }
  const seal = (headers: [string, string][]) =>
    hashedResponse({ status: 200, headers, body: Buffer.from('x') }, { policy }, nonce).headers
  const html: [string, string] = ['content-type', 'text/html; charset=utf-8']
  expect(seal([html])).toEqual([html, ['content-security-policy', 'p']])
  expect(seal([['content-type', 'text/x-component']])).toHaveLength(1)
  const own: [string, string] = ['content-security-policy', 'own']
  expect(seal([html, own])).toEqual([html, own])
})

test('a payload loses the nonce and no byte', () => {
  const pieces = [Buffer.from([255, 0]), `{"nonce":"${nonce}"}`]
  const [sealed] = hashPayload(pieces, nonce) as [Buffer]
  expect(sealed.includes(nonce)).toBe(false)
  expect([sealed.length, sealed[0], sealed[1]]).toEqual([nonce.length + 14, 255, 0])
  const plain = ['a']
  expect(hashPayload(plain, nonce)).toBe(plain)
})
