import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Connect, ViteDevServer } from 'vite'
import { expect, test } from 'vitest'
import { picturePlugin, picturesIn } from './picturePlugin.ts'

test.each([
  ['icon.png', true],
  ['icon2.svg', true],
  ['shop/opengraph-image.jpeg', true],
  ['shop/[slug]/twitter-image.gif', false],
  ['(site)/apple-icon.png', false],
  ['@modal/icon.png', false],
  ['_private/icon.png', false],
  ['favicon.ico', false],
  ['icon.tsx', false],
  ['logo.png', false],
])('%s is served under its own name: %j', (file, isServed) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'pictures-'))
  mkdirSync(path.dirname(path.join(folder, file)), { recursive: true })
  writeFileSync(path.join(folder, file), '')
  expect(picturesIn(folder)).toEqual(isServed ? [file] : [])
})

test.each([
  ['/icon.png', true],
  ['/shop/icon.png', true],
  ['/../icon.png', false],
  ['/shop/../../icon.png', false],
  ['/./icon.png', false],
])('the dev server serves %s: %j', (url, isServed) => {
  const root = mkdtempSync(path.join(tmpdir(), 'pictures-'))
  const appDir = path.join(root, 'app')
  mkdirSync(path.join(appDir, 'shop'), { recursive: true })
  for (const file of ['icon.png', 'app/icon.png', 'app/shop/icon.png']) {
    writeFileSync(path.join(root, file), file)
  }
  const handlers: Connect.NextHandleFunction[] = []
  const use = (handler: Connect.NextHandleFunction) => handlers.push(handler)
  const { configureServer } = picturePlugin(appDir, '')
  ;(configureServer as (server: ViteDevServer) => void)({
    middlewares: { use },
  } as unknown as ViteDevServer)
  let sent = ''
  const response = { setHeader: () => {}, end: (body: Buffer) => (sent = `${body}`) }
  let isPassedOn = false
  handlers[0]?.({ url } as never, response as never, () => {
    isPassedOn = true
  })
  expect({ sent, isPassedOn }).toEqual({
    sent: isServed ? `app${url}` : '',
    isPassedOn: !isServed,
  })
})
