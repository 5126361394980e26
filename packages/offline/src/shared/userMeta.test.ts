import { expect, test } from 'vitest'
import { readUser, userMetaContent, userMetaName } from './userMeta.ts'

const meta = (id: string | null) =>
  `<meta name="${userMetaName}" content="${userMetaContent(id)}"/>`
const page = (head: string, body = '') => `<html><head>${head}</head><body>${body}</body></html>`

test.each([null, 'ada', '', 'null', `"<'&>"`, 'Zoë 🙂', '\ud800'])(
  '%j is read as it was written',
  (id) => {
    expect(userMetaContent(id)).not.toMatch(/[<>&"']/)
    expect(readUser(page(meta(id)))).toBe(id)
  },
)

test.each([
  ['says nothing', page('')],
  ['says it in its body only', page('', meta('ada'))],
  ['says it in a script only', page(`<script type="application/ld+json">${meta('ada')}</script>`)],
  ['says it in a comment only', page(`<!-- ${meta('ada')} -->`)],
  ['contradicts itself', page(meta('bob') + meta('ada'))],
  ['contradicts itself in a body that somebody else wrote', page(meta('bob'), meta('ada'))],
  ['was written by something else', page(`<meta name="${userMetaName}" content="%"/>`)],
  ['names no text', page(`<meta name="${userMetaName}" content="1"/>`)],
])('a document that %s says nothing', (_, html) => {
  expect(readUser(html)).toBeUndefined()
})
