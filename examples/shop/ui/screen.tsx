'use client'

import type { ReactNode } from 'react'
import { Link } from 'waymark'
import { useParams, usePathname } from 'waymark/client'

type Texts = { readonly title: string; readonly text: string; readonly link: string }
type Props = {
  /** Texts by language. A screen gets no params, so this component reads the language from the URL. */
  readonly texts: Readonly<Record<string, Texts>>
  /** Target of the link, below the language. */
  readonly to?: '/login'
  readonly children?: ReactNode
}

/** Page for a status such as 404, with an explanation and a link. */
export function Screen({ texts, to, children }: Props) {
  const { lang } = useParams()
  const pathname = usePathname()
  const language = typeof lang === 'string' && lang in texts ? lang : 'en'
  const screenTexts = texts[language]
  const query = to ? `?next=${encodeURIComponent(pathname)}` : ''
  return (
    <div className="narrow screen">
      <h1>{screenTexts?.title}</h1>
      <p className="lead">{screenTexts?.text}</p>
      {children}
      <p>
        <Link className="button" href={`/${language}${to ?? ''}${query}` as '/en'}>
          {screenTexts?.link}
        </Link>
      </p>
    </div>
  )
}
