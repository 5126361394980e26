import type { ReactNode } from 'react'
import { Link, type LinkProps } from 'waymark'

const links: readonly {
  readonly href: Exclude<LinkProps['href'], string>
  readonly text: string
}[] = [
  { href: { pathname: '/lab/params/[id]', params: { id: 'plain' } }, text: 'plain' },
  { href: { pathname: '/lab/params/[id]', params: { id: 'höhenweg 2' } }, text: 'höhenweg 2' },
  { href: { pathname: '/lab/params/[id]', params: { id: '100% & more?' } }, text: '100% & more?' },
  { href: { pathname: '/lab/params/[id]', params: { id: '日本 #1' } }, text: '日本 #1' },
  { href: { pathname: '/lab/params/[id]', params: { id: 'a+b=c;d,e' } }, text: 'a+b=c;d,e' },
  {
    href: { pathname: '/lab/params/[id]', params: { id: 'query' }, query: { q: ['ä b', '+1'] } },
    text: 'query, with ?q=ä b and q=+1',
  },
  {
    href: {
      pathname: '/lab/params/rest/[...rest]',
      params: { rest: ['alps', 'säntis', '2 502 m'] },
    },
    text: 'rest: alps, säntis, 2 502 m',
  },
  { href: { pathname: '/lab/params/optional/[[...rest]]' }, text: 'optional rest: nothing' },
  {
    href: { pathname: '/lab/params/optional/[[...rest]]', params: { rest: ['a', 'b'] } },
    text: 'optional rest: a, b',
  },
]

/** Links with values that are hard to encode. */
export function ParamLinks(): ReactNode {
  return (
    <ul>
      {links.map(({ href, text }) => (
        <li key={text}>
          <Link href={href}>{text}</Link>
        </li>
      ))}
    </ul>
  )
}
