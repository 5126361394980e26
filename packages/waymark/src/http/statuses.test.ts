import { describe, expect, test } from 'vitest'
import { parseRouteFile } from '../routing/routeFile.ts'
import { englishStatus } from '../screens/englishStatuses.ts'
import { screenModel, screenOfStatus } from '../screens/model.ts'
import { screenJson } from '../screens/screenDocument.ts'
import { createLocale } from '../screens/screenTexts.ts'
import { decodeSignal, encodeSignal } from '../wire/signals.ts'
import { isFallbackStatus, statuses, statusRow } from './statuses.ts'

const codes = Object.keys(statuses).map(Number)

describe.each(codes)('status %i', (status) => {
  const row = statusRow(status)

  test('is passed through Flight as a signal', () => {
    if (status >= 500) return
    const signal = { kind: 'fallback', status } as const
    expect(decodeSignal(encodeSignal(signal))).toEqual(signal)
  })

  test('has its texts on the screen', () => {
    const { title, heading, sentence } = screenModel(screenOfStatus(status))
    const texts = englishStatus(status)
    const hasTexts = status !== 501 && status !== 502
    expect(texts !== undefined).toBe(hasTexts)
    expect(heading).toBe(texts?.heading ?? 'An unexpected error has occurred')
    expect(title).toBe(`${status}: ${heading}`)
    if (texts) expect(sentence).toBe(texts.sentence)
  })

  test('has its phrase in a problem document', () => {
    expect(JSON.parse(screenJson({ status }))).toMatchObject({ status, title: row?.phrase })
  })

  test('can be translated', () => {
    const texts = { [status]: { heading: 'Nein' } }
    const locale = createLocale(
      'de',
      isFallbackStatus(status) ? { fallbacks: texts } : { http: texts },
    )
    expect(screenModel(screenOfStatus(status), locale).heading).toBe('Nein')
  })
})

const files = codes.flatMap((status) => statusRow(status)?.file ?? [])

test.each(files)('%s.tsx is a route file', (file) => {
  expect(parseRouteFile(`blog/${file}.tsx`)?.role).toBe(file)
})

test('the screen of a status with a file links to the home page first, as a retry would not help', () => {
  for (const status of codes) {
    const [first] = screenModel(screenOfStatus(status)).links
    expect(first?.label).toBe(isFallbackStatus(status) ? 'Home' : 'Reload')
  }
})
