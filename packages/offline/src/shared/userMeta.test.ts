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
  ['has no user element', page('')],
  ['names the user in its body only', page('', meta('ada'))],
  [
    'names the user in a script only',
    page(`<script type="application/ld+json">${meta('ada')}</script>`),
  ],
  ['names the user in a comment only', page(`<!-- ${meta('ada')} -->`)],
  ['contradicts itself', page(meta('bob') + meta('ada'))],
  ['contradicts itself in a body that somebody else wrote', page(meta('bob'), meta('ada'))],
  ['has an invalid user element', page(`<meta name="${userMetaName}" content="%"/>`)],
  ['has an id that is not a text', page(`<meta name="${userMetaName}" content="1"/>`)],
])('a document that %s is ignored', (_, html) => {
  expect(readUser(html)).toBeUndefined()
})
