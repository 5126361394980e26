import type { ReactNode } from 'react'
import { type ScreenOptions, type ScreenRequest, screenModel } from './model.ts'
import { Screen } from './Screen.tsx'
import { documentStyle } from './style.ts'

/** Props of `ScreenPage`. */
export type ScreenPageProps = ScreenOptions & {
  readonly screen: ScreenRequest
}

/**
 * A screen with `<html>` and `<body>` around it, in React: for a boundary that stands above the
 * root layout.
 */
export function ScreenPage({ screen, locale, home }: ScreenPageProps): ReactNode {
  const { title, lang, dir } = screenModel(screen, { locale, home })
  return (
    // The theme stands on <html>, and is not React's.
    <html lang={lang} dir={dir} suppressHydrationWarning>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>{title}</title>
        <style href="waymark-screen-page" precedence="waymark-screen-page">
          {documentStyle}
        </style>
      </head>
      <body>
        <Screen screen={screen} locale={locale} home={home} />
      </body>
    </html>
  )
}
