import { renderToStaticMarkup } from 'react-dom/server'
import { createFormatter } from 'use-intl/core'
import { IntlProvider, useFormatter } from 'use-intl/react'
import { describe, expect, test } from 'vitest'
import type { Formatter } from './types.ts'

// Server components use `createFormatter`, and client components the provider. Both must write the
// same in each time zone of the process, or the text would change while a page hydrates.

const locales = 'en de fr ar fa hi ja zh-Hant pt-BR ru he th'.split(' ')

const timeZones = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'America/St_Johns',
  'Asia/Tokyo',
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  'Pacific/Kiritimati',
  'Africa/Cairo',
  'America/Sao_Paulo',
]

const now = new Date('2026-03-29T00:59:59.999Z')

function write(format: Formatter): string {
  // The second day is the start of summer time in Berlin.
  const [day, later] = [new Date('2025-12-31T23:30:00Z'), new Date('2026-03-29T01:30:00Z')]
  return [
    format.dateTime(day, { dateStyle: 'full', timeStyle: 'long' }),
    format.dateTime(later, { year: 'numeric', month: '2-digit', day: '2-digit', hour: 'numeric' }),
    format.dateTimeRange(day, later, { dateStyle: 'medium' }),
    format.number(-1_234_567.891),
    format.number(0.256, { style: 'percent' }),
    format.number(1_234.5, { style: 'currency', currency: 'JPY' }),
    format.number(12_345, { notation: 'compact' }),
    format.list(['a', 'b', 'c'], { type: 'disjunction' }),
    format.relativeTime(day),
    format.relativeTime(later),
    format.relativeTime(later, { unit: 'hour', style: 'short' }),
    format.displayName('DE', { type: 'region' }),
  ].join('\n')
}

function Formats(): string {
  return write(useFormatter() as Formatter)
}

describe.each(timeZones)('in %s', (timeZone) => {
  test.each(locales)('%s is the same on both sides', (locale) => {
    const onError = (problem: Error) => {
      throw problem
    }
    const onServer = write(createFormatter({ locale, timeZone, now, onError }) as Formatter)
    const usual = process.env.TZ
    try {
      for (const own of ['Asia/Tokyo', 'America/New_York']) {
        process.env.TZ = own
        const provider = (
          <IntlProvider
            locale={locale}
            timeZone={timeZone}
            now={now}
            onError={onError}
            messages={{}}
          >
            <Formats />
          </IntlProvider>
        )
        const text = renderToStaticMarkup(provider).replaceAll('&#x27;', "'")
        expect(text.replaceAll('&quot;', '"')).toBe(onServer)
      }
    } finally {
      if (usual === undefined) delete process.env.TZ
      else process.env.TZ = usual
    }
  })
})

test('a time zone decides about the day', () => {
  const day = (timeZone: string) =>
    createFormatter({ locale: 'en', timeZone }).dateTime(new Date('2025-12-31T23:30:00Z'), {
      dateStyle: 'short',
    })
  expect([day('UTC'), day('Asia/Tokyo'), day('Pacific/Apia')]).toEqual([
    '12/31/25',
    '1/1/26',
    '1/1/26',
  ])
})
