import { expect, test } from 'vitest'
import type { I18nOptions } from '../shared/config.ts'
import { readOptions } from './readOptions.ts'

const read = (options: Partial<I18nOptions>) => readOptions({ locales: ['en', 'de'], ...options })

test('options have defaults', () => {
  expect(read({})).toEqual({
    config: { locales: ['en', 'de'], prefix: 'always', pathnames: {}, timeZone: 'UTC' },
    folder: 'messages',
    checks: 'warn',
  })
})

test.each([
  [{ locales: [] as never }, /locales.*at least one/],
  [{ locales: ['EN'] }, /locales.*"EN"/],
  [{ locales: ['__proto__'] }, /locales/],
  [{ locales: ['../x'] }, /locales/],
  [{ prefix: 'never' as never }, /prefix/],
  [{ timeZone: 'Berlin' }, /timeZone.*Berlin/],
  [{ pathnames: { about: {} } }, /slash/],
  [{ pathnames: { '/a': { de: '/b/' } } }, /slash/],
  [{ pathnames: { '/a': { fr: '/b' } } }, /fr isn't/],
  [{ pathnames: { '/a': { de: '/[x]' } } }, /same params/],
] satisfies [Partial<I18nOptions>, RegExp][])('%j is refused', (options, message) => {
  expect(() => read(options)).toThrow(message)
})
