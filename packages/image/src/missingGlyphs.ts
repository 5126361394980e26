import type { Node } from 'takumi-js'
import type { ImageFont } from './imageFonts.ts'

/** Draws one text with the card's fonts. Two texts without glyphs give the same bytes. */
type DrawText = (text: string, fonts: readonly ImageFont[]) => Promise<Uint8Array>

type CardText = {
  readonly node: Node
  readonly fonts: readonly ImageFont[]
  /** Path of the card's URL; `null` if no request draws the card. */
  readonly pathname: string | null
}

/** A character that no font has, because Unicode will never assign a character to this number. */
const unassigned = '\u{10ffff}'

/** Most characters that are checked for one card. Each one takes a millisecond the first time. */
const mostChecked = 100

/**
 * Most characters that are checked in all, because the texts of cards may come from visitors, who could make each card
 * need new checks.
 */
const mostCheckedInAll = 10_000

/** Longest part of a text that a message quotes, in characters. */
const longestQuote = 40

/**
 * Creates a function that finds the characters of a card that no font can draw. takumi-js draws an
 * empty box for each of them and reports nothing.
 * @returns a function that returns a message for the log, or `null` if there is nothing new to report
 */
export function createGlyphCheck(draw: DrawText): (card: CardText) => Promise<string | null> {
  const results = new Map<string, Promise<boolean>>()
  const reported = new Set<string>()
  const fontIds = new WeakMap<object, number>()
  let fontCount = 0

  function idOf(font: ImageFont): number {
    const id = fontIds.get(font) ?? ++fontCount
    fontIds.set(font, id)
    return id
  }

  /** A check that fails finds nothing, because the card can be drawn nevertheless. */
  async function isMissing(character: string, fonts: readonly ImageFont[]): Promise<boolean> {
    try {
      const [box, drawn] = await Promise.all([draw(unassigned, fonts), draw(character, fonts)])
      return Buffer.compare(box, drawn) === 0
    } catch {
      return false
    }
  }

  return async ({ node, fonts, pathname }) => {
    const texts = textsOf(node)
    const characters = [...new Set(texts.join('').match(checkedCharacters))].slice(0, mostChecked)
    if (characters.length === 0) return null
    const fontKey = fonts.map(idOf).join()
    const missing: string[] = []
    for (const character of characters) {
      const key = `${fontKey} ${character}`
      let result = results.get(key)
      if (!result) {
        if (results.size >= mostCheckedInAll) continue
        result = isMissing(character, fonts)
        results.set(key, result)
      }
      if (await result) missing.push(character)
    }
    const scripts = [...new Set(missing.map(scriptOf))]
    const isNew = scripts.some((script) => !reported.has(`${fontKey} ${script}`))
    if (!isNew) return null
    for (const script of scripts) reported.add(`${fontKey} ${script}`)
    const text = texts.find((each) => missing.some((character) => each.includes(character))) ?? ''
    return messageOf({ missing, scripts, text, fonts, pathname })
  }
}

// Leave out ASCII, which the built-in font has, and characters that draw nothing on their own.
const checkedCharacters = /[^\p{ASCII}\p{M}\p{Z}\p{C}]/gu

function textsOf(node: Node): string[] {
  const { text, children } = node as { text?: unknown; children?: unknown }
  return [
    ...(typeof text === 'string' ? [text] : []),
    ...(Array.isArray(children) ? (children as Node[]).flatMap(textsOf) : []),
  ]
}

const scripts = [
  'Arabic',
  'Armenian',
  'Bengali',
  'Cyrillic',
  'Devanagari',
  'Ethiopic',
  'Georgian',
  'Greek',
  'Gujarati',
  'Han',
  'Hangul',
  'Hebrew',
  'Hiragana',
  'Katakana',
  'Khmer',
  'Lao',
  'Latin',
  'Myanmar',
  'Sinhala',
  'Tamil',
  'Telugu',
  'Thai',
].map((name) => ({ name, pattern: new RegExp(`^\\p{Script=${name}}`, 'u') }))

function scriptOf(character: string): string {
  if (/^\p{Extended_Pictographic}/u.test(character)) return 'Emoji'
  return scripts.find(({ pattern }) => pattern.test(character))?.name ?? 'Symbols'
}

function messageOf({
  missing,
  scripts,
  text,
  fonts,
  pathname,
}: {
  readonly missing: readonly string[]
  readonly scripts: readonly string[]
  readonly text: string
  readonly fonts: readonly ImageFont[]
  readonly pathname: string | null
}): string {
  const characters = missing.slice(0, 10).join(' ') + (missing.length > 10 ? ' …' : '')
  const quote = JSON.stringify([...text].slice(0, longestQuote).join(''))
  const others = scripts.filter((script) => script !== 'Emoji')
  const fixes = [
    ...(others.length > 0
      ? [`Pass a font for ${others.join(', ')} in the option fonts of ImageResponse.`]
      : []),
    ...(scripts.includes('Emoji')
      ? ["For emoji, set the option emoji, for example to 'twemoji', or pass a font."]
      : []),
  ]
  return `${fontNames(fonts)} can't draw ${missing.length === 1 ? 'a character' : 'some characters'} of ${pathname === null ? 'a card' : `the card ${pathname}`}, so the picture has empty boxes instead: ${characters} (${scripts.join(', ')}), in the text ${quote}. ${fixes.join(' ')}`
}

function fontNames(fonts: readonly ImageFont[]): string {
  if (fonts.length === 0) return 'The built-in font of ImageResponse'
  const names = fonts.flatMap((font) => ('data' in font && font.name ? [font.name] : []))
  if (names.length === 0) return 'The fonts that were passed to ImageResponse'
  return `${names.length === 1 ? 'The font' : 'The fonts'} ${names.join(', ')}`
}
