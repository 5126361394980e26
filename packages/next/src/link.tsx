'use client'

import {
  type AnchorHTMLAttributes,
  cloneElement,
  createContext,
  type MouseEvent,
  type ReactElement,
  type ReactNode,
  type Ref,
  useContext,
} from 'react'
import { Link as WaymarkLink } from 'waymark'
import { useLinkStatus as useStatusOf } from 'waymark/client'
import { formatUrl, type Url } from './url.ts'

/** Options of a link, in addition to an anchor's attributes. */
export type InternalLinkProps = {
  readonly href: Url
  /** URL to show and request instead of `href`. */
  readonly as?: Url | undefined
  readonly replace?: boolean | undefined
  readonly scroll?: boolean | undefined
  /** Has no effect. */
  readonly shallow?: boolean | undefined
  readonly passHref?: boolean | undefined
  readonly prefetch?: boolean | 'auto' | 'unstable_forceStale' | null | undefined
  readonly locale?: string | false | undefined
  /** True if the link's only child is an anchor that gets the attributes. */
  readonly legacyBehavior?: boolean | undefined
  /**
   * Called before a navigation within the site. Call `preventDefault()` to cancel the navigation.
   */
  readonly onNavigate?: ((event: { preventDefault: () => void }) => void) | undefined
}

/** Attributes of an anchor, and options for the navigation. */
export type LinkProps = InternalLinkProps &
  Omit<AnchorHTMLAttributes<HTMLAnchorElement>, keyof InternalLinkProps> & {
    readonly ref?: Ref<HTMLAnchorElement> | undefined
    readonly children?: ReactNode
  }

const HrefContext = createContext<string | null>(null)

/** Returns the status of the surrounding link: `pending` is true while its target is loading. */
export function useLinkStatus(): { readonly pending: boolean } {
  // No navigation ever leads to this URL, so `pending` is always false outside of a link.
  return useStatusOf(useContext(HrefContext) ?? 'about:blank')
}

/** Renders a link to a page on this site or on a different site. */
export default function Link(props: LinkProps): ReactNode {
  const { href, as, locale, shallow, passHref, legacyBehavior, onNavigate, ...others } = props
  const { prefetch, children, onClick, ...attributes } = others
  const target = formatUrl(as ?? href)
  const followed = {
    ...attributes,
    ...(onClick || onNavigate ? { onClick: clickListener(onClick, onNavigate) } : {}),
  }
  if (!legacyBehavior) {
    return (
      <HrefContext value={target}>
        <WaymarkLink {...(followed as object)} href={target} prefetch={prefetch !== false}>
          {children}
        </WaymarkLink>
      </HrefContext>
    )
  }
  return <HrefContext value={target}>{legacyAnchor(props, target, clickListener)}</HrefContext>
}

type Listener = ((event: MouseEvent<HTMLAnchorElement>) => void) | undefined

function clickListener(onClick: Listener, onNavigate: LinkProps['onNavigate']): Listener {
  return (event) => {
    onClick?.(event)
    const { metaKey, ctrlKey, shiftKey, altKey, button, currentTarget } = event
    const isPlain = button === 0 && !metaKey && !ctrlKey && !shiftKey && !altKey
    const isHere = currentTarget.origin === location.origin && !currentTarget.download
    if (event.defaultPrevented || !isPlain || !isHere) return
    if (currentTarget.target && currentTarget.target !== '_self') return
    onNavigate?.({ preventDefault: () => event.preventDefault() })
  }
}

/** Renders the only child as the anchor. */
function legacyAnchor(props: LinkProps, href: string, listen: typeof clickListener): ReactNode {
  const { children, passHref, replace, scroll, prefetch, onClick, onNavigate } = props
  if (typeof children === 'string' || typeof children === 'number') {
    return <WaymarkLink href={href}>{children}</WaymarkLink>
  }
  const child = children as ReactElement<AnchorHTMLAttributes<HTMLAnchorElement>>
  const hrefProps = passHref || (child.type === 'a' && !('href' in child.props)) ? { href } : {}
  const linkProps = { replace, scroll, prefetch: prefetch !== false } as object
  const anchor = WaymarkLink({ ...linkProps, href }) as ReactElement<{ href: string }>
  const { href: _href, ...settings } = anchor.props
  const both: Listener = (event) => {
    child.props.onClick?.(event)
    onClick?.(event)
  }
  return cloneElement(child, { ...hrefProps, ...settings, onClick: listen(both, onNavigate) })
}
