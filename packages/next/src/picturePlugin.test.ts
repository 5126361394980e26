import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { picturesIn } from './picturePlugin.ts'

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
])('%s has a URL of its name: %j', (file, isServed) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'pictures-'))
  mkdirSync(path.dirname(path.join(folder, file)), { recursive: true })
  writeFileSync(path.join(folder, file), '')
  expect(picturesIn(folder)).toEqual(isServed ? [file] : [])
})
