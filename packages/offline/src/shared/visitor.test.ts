import { expect, test } from 'vitest'
import { readVisitor, visitorContent, visitorName } from './visitor.ts'

const meta = (id: string | null) => `<meta name="${visitorName}" content="${visitorContent(id)}"/>`
const page = (head: string, body = '') => `<html><head>${head}</head><body>${body}</body></html>`

test.each([null, 'ada', '', 'null', `"<'&>"`, 'Zoë 🙂', '\ud800'])(
  '%j is read as it was written',
  (id) => {
    expect(visitorContent(id)).not.toMatch(/[<>&"']/)
    expect(readVisitor(page(meta(id)))).toBe(id)
  },
)

test.each([
  ['says nothing', page('')],
  ['says it in its body only', page('', meta('ada'))],
  ['says it in a script only', page(`<script type="application/ld+json">${meta('ada')}</script>`)],
  ['says it in a comment only', page(`<!-- ${meta('ada')} -->`)],
  ['contradicts itself', page(meta('bob') + meta('ada'))],
  ['contradicts itself in a body that somebody else wrote', page(meta('bob'), meta('ada'))],
  ['was written by something else', page(`<meta name="${visitorName}" content="%"/>`)],
  ['names no text', page(`<meta name="${visitorName}" content="1"/>`)],
])('a document that %s says nothing', (_, html) => {
  expect(readVisitor(html)).toBeUndefined()
})
