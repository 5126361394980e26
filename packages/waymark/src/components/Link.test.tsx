import type { ReactElement } from 'react'
import { expect, test } from 'vitest'
import { Link, type LinkProps } from './Link.tsx'

/** The props of the anchor: each of them is written into the payload of the page. */
function anchorProps(props: LinkProps): Record<string, unknown> {
  return (Link(props) as ReactElement<Record<string, unknown>>).props
}

test('a plain link says nothing but its target and its text', () => {
  expect(anchorProps({ href: '/a', children: 'A' })).toStrictEqual({ href: '/a', children: 'A' })
})

test.each<[Partial<LinkProps>, Record<string, string>]>([
  [{ replace: true }, { 'data-replace': '' }],
  [{ scroll: false }, { 'data-scroll': 'false' }],
  [{ prefetch: false }, { 'data-prefetch': 'false' }],
  [{ replace: false, scroll: true, prefetch: true }, {}],
])('what %j says stands on the anchor', (props, attributes) => {
  expect(anchorProps({ href: '/a', ...props })).toStrictEqual({ href: '/a', ...attributes })
})
