import { expect, test } from 'vitest'
import { namedFiles } from './namedFiles.ts'

const assets = '/docs/_waymark/assets/'
const named = (text: string, type: string, from = `${assets}entry.js`) =>
  namedFiles(text, type, new URL(from, 'https://a.example').href, assets)

test('a document needs the code of its build, and wants images and icons', () => {
  const html = `<script type="module" src="${assets}a.js"></script>
<link rel="stylesheet" href="${assets}b.css"><link rel="icon" href="/i.png?a=1&amp;b=2">
<link rel="canonical" href="/page"><img alt="" src="/p.png"><img src="https://b.example/q.png">
<script src="/other.js"></script>`
  expect(named(html, 'text/html', '/docs/page')).toEqual({
    needed: [`${assets}a.js`, `${assets}b.css`],
    wanted: ['/i.png?a=1&b=2', '/p.png'],
  })
})

test('a script needs its imports, and wants the files that it loads later', () => {
  const script = 'import{a}from"./a.js";import"./b.js";import(`./later.js`);fetch("/api/x.json")'
  const { needed, wanted } = named(script, 'text/javascript')
  expect(needed).toEqual([`${assets}a.js`, `${assets}b.js`])
  expect(wanted).toContain(`${assets}later.js`)
  expect(wanted).not.toContain('/api/x.json')
})

test('a stylesheet names fonts and images, but not data within itself', () => {
  const css = '@font-face{src:url(./f.woff2)}a{background:url("/p.png")}b{background:url(data:,)}'
  expect(named(css, 'text/css').wanted).toEqual([`${assets}f.woff2`, '/p.png'])
})
