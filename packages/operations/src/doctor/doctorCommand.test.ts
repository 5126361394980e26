import { expect, test } from 'vitest'
import { namedFiles } from './doctorCommand.ts'

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
