'use client'

import {
  type AnchorHTMLAttributes,
  type MouseEvent,
  type ReactNode,
  useEffect,
  useSyncExternalStore,
} from 'react'
import { basePath } from 'waymark'
import { usePathname } from 'waymark/client'
import { directionOf, nameOf } from '../shared/direction.ts'
import { localeCookie } from '../shared/localeCookie.ts'
import type { Locale } from '../shared/types.ts'
import { useLocale } from './clientHooks.ts'
import { clientPaths } from './clientPaths.ts'
import { keepTypedText, restoreTypedText } from './keepTypedText.ts'

export type LanguageLinkProps = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'> & {
  readonly locale: Locale
}

/**
 * Links to the current page in another language. The link keeps the query and what the visitor has
 * typed, and remembers the language for the next visit. Its text is the language's own name, unless
 * it has children.
 */
export function LanguageLink({ locale, children, ...props }: LanguageLinkProps): ReactNode {
  const current = useLocale()
  const computed = otherLanguage(usePathname(), current, locale)
  // The page may name its translation, whose URL can't be computed, in its metadata.
  const href = useSyncExternalStore(
    subscribe,
    () => alternateHref(locale) ?? computed,
    () => computed,
  )
  useEffect(restoreTypedText, [])
  function choose(event: MouseEvent<HTMLAnchorElement>) {
    props.onClick?.(event)
    if (event.defaultPrevented) return
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in Firefox
    document.cookie = `${localeCookie}=${locale}; path=${basePath || '/'}; max-age=31536000; samesite=lax`
    const url = new URL(alternateHref(locale) ?? computed, location.href)
    url.search = location.search
    url.hash = location.hash
    event.currentTarget.href = url.href
    keepTypedText(url)
  }
  return (
    <a
      lang={locale}
      dir={directionOf(locale)}
      hrefLang={locale}
      aria-current={locale === current ? 'true' : undefined}
      data-waymark-document=""
      {...props}
      href={href}
      onClick={choose}
    >
      {children ?? nameOf(locale)}
    </a>
  )
}

const subscribe = () => () => {}

/** Returns the URL that the page's metadata names for a language. */
function alternateHref(locale: string): string | null {
  const links = document.head.querySelectorAll<HTMLLinkElement>('link[rel="alternate"][hreflang]')
  const link = [...links].find(({ hreflang }) => hreflang === locale)
  if (!link) return null
  const { pathname } = new URL(link.href)
  return pathname
}

/** Computes the URL of the same page in another language. */
function otherLanguage(pathname: string, from: string, to: string): string {
  const path = clientPaths.split(pathname)?.path ?? pathname
  return basePath + clientPaths.toUrl(to, clientPaths.toPage(from, path))
}
