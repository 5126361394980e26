import { isValidElement, type ReactNode } from 'react'
import { Link as WaymarkLink } from 'waymark'
import BrowserLink, { type InternalLinkProps, type LinkProps } from './link.tsx'
import { browserOnly } from './signals.ts'
import { formatUrl } from './url.ts'

export type { InternalLinkProps, LinkProps }

export const useLinkStatus = browserOnly('useLinkStatus')

/**
 * Renders a link in a server component: a plain anchor without hydration, unless a component inside
 * the link may call `useLinkStatus()`.
 */
export default function Link(props: LinkProps): ReactNode {
  const { href, as, locale, shallow, passHref, legacyBehavior, prefetch, ...attributes } = props
  if (legacyBehavior || !isPlain(props.children)) return <BrowserLink {...props} />
  return (
    <WaymarkLink
      {...(attributes as object)}
      href={formatUrl(as ?? href)}
      prefetch={prefetch !== false}
    />
  )
}

/** True if a node contains only text and HTML elements. */
function isPlain(node: ReactNode): boolean {
  if (Array.isArray(node)) return node.every(isPlain)
  if (typeof node !== 'object' || node === null) return true
  return (
    isValidElement<{ children?: ReactNode }>(node) &&
    typeof node.type === 'string' &&
    isPlain(node.props.children)
  )
}
