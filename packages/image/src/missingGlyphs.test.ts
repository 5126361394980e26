import { expect, test } from 'vitest'
import { createGlyphCheck } from './missingGlyphs.ts'

const card = (text: string) => ({
  node: { type: 'text' as const, text },
  fonts: [],
  pathname: null,
})

test('the characters that are checked are limited, because visitors may write the texts', async () => {
  let drawings = 0
  const check = createGlyphCheck(async (text) => {
    drawings++
    return Buffer.from(text)
  })
  for (let start = 0x4e00; start < 0x4e00 + 20_000; start += 100) {
    const points = Array.from({ length: 100 }, (_, at) => start + at)
    await check(card(String.fromCodePoint(...points)))
  }
  expect(drawings).toBeLessThanOrEqual(20_000)
})

test('a check that fails does not make the card fail', async () => {
  const check = createGlyphCheck(async () => {
    throw new Error('The font is not valid.')
  })
  expect(await check(card('é'))).toBeNull()
})
