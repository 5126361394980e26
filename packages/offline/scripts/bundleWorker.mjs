/** Bundles the service worker into one text, which the server of an app sends. */
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

const folder = (/** @type {string} */ path) => fileURLToPath(new URL(path, import.meta.url))

const bundle = await rolldown({ input: folder('../dist/worker/worker.js') })
const { output } = await bundle.generate({ format: 'iife', minify: true })
writeFileSync(
  folder('../dist/server/workerText.js'),
  `export const workerText = ${JSON.stringify(output[0].code)}\n`,
)
