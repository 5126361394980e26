/** Bundles the service worker and the built-in screen into strings that an app's server sends. */
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { englishPage } from '../dist/shared/texts.js'

const pathOf = (/** @type {string} */ path) => fileURLToPath(new URL(path, import.meta.url))

/** @param {string} input */
async function bundle(input) {
  const bundled = await rolldown({ input: pathOf(input) })
  const { output } = await bundled.generate({ format: 'iife', minify: true })
  return output[0].code.replaceAll('/* @__PURE__ */ ', '').trim()
}

const script = await bundle('../dist/screen/offlineScreen.js')
const style = readFileSync(pathOf('../src/screen/screenStyle.css'), 'utf8').replace(/\s+/g, ' ')
const hashOf = (/** @type {string} */ text) =>
  `'sha256-${createHash('sha256').update(text).digest('base64')}'`

// Until its script has read the app's texts, the offline screen shows English.
const { title, heading, sentence } = englishPage
const screenHtml = [
  '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">',
  '<meta name="viewport" content="width=device-width, initial-scale=1">',
  `<meta name="robots" content="noindex"><title>${title}</title><style>${style}</style></head>`,
  `<body hidden><main><h1>${heading}</h1><p>${sentence}</p><h2></h2><ul></ul></main>`,
  `<script>${script}</script></body></html>`,
].join('')
const screenPolicy = [
  `default-src 'none'; script-src ${hashOf(script)}; style-src ${hashOf(style)}`,
  "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'",
].join('; ')

const texts = {
  workerText: await bundle('../dist/worker/worker.js'),
  syncText: await bundle('../dist/sync/sync.js'),
  screenHtml,
  screenPolicy,
}
const lines = Object.entries(texts).map(
  ([name, text]) => `export const ${name} = ${JSON.stringify(text)}\n`,
)
writeFileSync(pathOf('../dist/server/builtTexts.js'), lines.join(''))
