import { expect, test } from 'vitest'
import { decodeLink, encodeLink, type LinkSettings } from './linkAttributes.ts'

/** Returns the dataset that a browser creates from these attributes. */
function elementOf(attributes: object): Pick<HTMLElement, 'dataset'> {
  const entries = Object.entries(attributes).map(([name, value]) => [
    name.replace('data-', ''),
    value,
  ])
  return { dataset: Object.fromEntries(entries) }
}

const both = [true, false]
const all: LinkSettings[] = both.flatMap((replace) =>
  both.flatMap((scroll) => both.map((prefetch) => ({ replace, scroll, prefetch }))),
)

test.each(all)('%j is the same after a round trip', (settings) => {
  expect(decodeLink(elementOf(encodeLink(settings)))).toEqual(settings)
})

test('defaults are left out, and other props stay', () => {
  const props = { href: '/a', scroll: true, prefetch: undefined }
  expect(encodeLink(props)).toStrictEqual({ href: '/a' })
  expect(encodeLink({ id: 'a', replace: true })).toStrictEqual({ id: 'a', 'data-replace': '' })
})

test('props without a setting are not copied', () => {
  const props: { href: string; scroll?: boolean } = { href: '/a' }
  expect(encodeLink(props)).toBe(props)
})
