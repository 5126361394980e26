'use client'

import { type ReactElement, useEffect, useState } from 'react'
import { basePath } from 'waymark'
import { readPackageTexts } from 'waymark/plugin/client'
import { type CachedPage, listCachedPages, openablePages } from '../shared/cachedPage.ts'
import { fillTime, plainText, timeText } from '../shared/savedPageText.ts'
import { englishPage } from '../shared/texts.ts'

/** Lists the saved pages that open without a network, newest first. Render it in your own offline page. */
export function SavedPages(): ReactElement {
  const [pages, setPages] = useState<readonly CachedPage[]>([])
  useEffect(() => {
    let isMounted = true
    const show = (all: readonly CachedPage[]) => {
      const others = all.filter(({ url }) => url !== location.pathname + location.search)
      if (isMounted) setPages(openablePages(others, Date.now()))
    }
    // Without cache storage, no pages are saved.
    if ('caches' in window) listCachedPages(caches, basePath).then(show, () => {})
    return () => {
      isMounted = false
    }
  }, [])
  if (pages.length === 0) return <ul />
  const { lang, texts } = readPackageTexts('@waymark/offline', { page: englishPage })
  return (
    <ul>
      {pages.map(({ url, title, savedAtMs }) => (
        <li key={url}>
          <a href={url}>{plainText(title)}</a>{' '}
          <small>{fillTime(texts.page.savedAsOf, timeText(savedAtMs, Date.now(), lang))}</small>
        </li>
      ))}
    </ul>
  )
}
