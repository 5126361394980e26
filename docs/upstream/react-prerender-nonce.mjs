// npm install react@19.3.1 react-dom@19.3.1 && node react-prerender-nonce.mjs
import { createElement, Suspense, use } from 'react'
import { prerenderToNodeStream } from 'react-dom/static'

const later = new Promise(() => {})
const Late = () => use(later)
const page = createElement(
  'html',
  null,
  createElement(
    'body',
    null,
    createElement(Suspense, { fallback: 'loading' }, createElement(Late)),
  ),
)
const stop = new AbortController()
setTimeout(() => stop.abort())
const { prelude } = await prerenderToNodeStream(page, {
  nonce: 'a-nonce',
  signal: stop.signal,
  onError() {},
})
let html = ''
for await (const piece of prelude) html += piece
const scripts = html.match(/<script[^>]*>/g)
console.log(scripts)
process.exit(scripts.every((tag) => tag.includes('nonce="a-nonce"')) ? 0 : 1)
