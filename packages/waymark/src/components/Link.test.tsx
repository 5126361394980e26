import type { ReactElement } from 'react'
import { expect, test } from 'vitest'
import { Link, type LinkProps } from './Link.tsx'

/** Returns the anchor's props, all of which become part of the page's payload. */
function anchorProps(props: LinkProps): Record<string, unknown> {
  return (Link(props) as ReactElement<Record<string, unknown>>).props
}

test('a plain link has only its target and its text', () => {
  expect(anchorProps({ href: '/a', children: 'A' })).toStrictEqual({ href: '/a', children: 'A' })
})

test.each<[Partial<LinkProps>, Record<string, string>]>([
  [{ replace: true }, { 'data-replace': '' }],
  [{ scroll: false }, { 'data-scroll': 'false' }],
  [{ prefetch: false }, { 'data-prefetch': 'false' }],
  [{ replace: false, scroll: true, prefetch: true }, {}],
])('%j becomes attributes of the anchor', (props, attributes) => {
  expect(anchorProps({ href: '/a', ...props })).toStrictEqual({ href: '/a', ...attributes })
})
