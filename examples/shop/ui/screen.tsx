'use client'

import type { ReactNode } from 'react'
import { Link } from 'waymark'
import { useParams, usePathname } from 'waymark/client'

type Texts = { readonly title: string; readonly text: string; readonly link: string }
type Props = {
  /** By language: a screen gets no params, so it chooses where it is shown. */
  readonly texts: Readonly<Record<string, Texts>>
  /** Where its link leads, below the language. */
  readonly to?: '/login'
  readonly children?: ReactNode
}

/** A page that says why there is nothing else. */
export function Screen({ texts, to, children }: Props) {
  const { lang } = useParams()
  const pathname = usePathname()
  const language = typeof lang === 'string' && lang in texts ? lang : 'en'
  const shown = texts[language]
  const query = to ? `?next=${encodeURIComponent(pathname)}` : ''
  return (
    <div className="narrow screen">
      <h1>{shown?.title}</h1>
      <p className="lead">{shown?.text}</p>
      {children}
      <p>
        <Link className="button" href={`/${language}${to ?? ''}${query}` as '/en'}>
          {shown?.link}
        </Link>
      </p>
    </div>
  )
}
