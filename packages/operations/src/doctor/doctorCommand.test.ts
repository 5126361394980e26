import { expect, test } from 'vitest'
import { explainRefusal } from './doctorCommand.ts'
import { namedFiles } from './pages.ts'
import { printable } from './printable.ts'

test('finds the hashed files that a document names, wherever they are hosted', () => {
  const html = `<link rel="stylesheet" href="/_waymark/assets/a.css"><a href="/about">
    <script src="https://cdn.example.com/_waymark/assets/b.js?x=1&amp;y=2"></script>
    <script src="/_waymark/assets/b.js"></script><link href="/_waymark/assets/a.css">
    <script src="ftp://x/_waymark/assets/c.js"></script><img src="http://[/_waymark/assets/d.png">`
  expect(namedFiles(html, new URL('https://example.com/de'))).toEqual([
    'https://example.com/_waymark/assets/a.css',
    'https://cdn.example.com/_waymark/assets/b.js?x=1&y=2',
    'https://example.com/_waymark/assets/b.js',
  ])
})

test.each([
  'http://10.0.0.1/admin?x=/_waymark/assets/a.js',
  'http://10.0.0.1/_waymark/assets/../../admin',
  'http://10.0.0.1/#/_waymark/assets/a.js',
])('requests nothing at %s, which is no path of files', (reference) => {
  const html = `<script src="${reference}"></script>`
  expect(namedFiles(html, new URL('https://example.com/'))).toEqual([])
})

test('requests only some of the files of a page that names very many', () => {
  const tags = Array.from({ length: 5_000 }, (_, at) => `<img src="/_waymark/assets/${at}.png">`)
  expect(namedFiles(tags.join(''), new URL('https://example.com/'))).toHaveLength(500)
})

test('text from a server can neither control the terminal nor begin a line', () => {
  expect(printable('build \u009b2J\u001b]0;title\u0007\nnext \u202eabc')).toBe(
    'build �2J�]0;title��next �abc',
  )
})

const nowMs = Date.parse('2026-11-30T12:00:00Z')

test.each([
  [404, 'Mon, 30 Nov 2026 12:00:01 GMT', 'Set WAYMARK_SECRET on that server'],
  [404, 'Mon, 30 Nov 2026 11:40:00 GMT', "20 minutes behind this machine's clock"],
  [400, undefined, 'security.allowedHosts'],
])('a server that answers %d at %s gets its own advice', (status, date, advice) => {
  expect(explainRefusal(status, date, nowMs)).toContain(advice)
})
