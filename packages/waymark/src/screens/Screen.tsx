import type { ReactNode } from 'react'
import { BackButton } from './BackButton.tsx'
import { type ScreenOptions, type ScreenRequest, screenModel } from './model.ts'
import { documentStyle, screenStyle } from './style.ts'

/** What every screen takes. */
export type ScreenProps = ScreenOptions & {
  /** The element around it; `div` where a layout has a `<main>` of its own. */
  readonly as?: 'main' | 'div'
}

/** A built-in screen, as part of a page. It needs no script and no style sheet of the app. */
export function Screen(props: ScreenProps & { screen: ScreenRequest }): ReactNode {
  const { as: Element = 'main', screen } = props
  const model = screenModel(screen, props)
  const long = model.isLong ? ' waymark-screen-long' : ''
  return (
    <>
      <style href="waymark-screen" precedence="waymark-screen">
        {screenStyle}
      </style>
      <Element className="waymark-screen" lang={model.lang} dir={model.dir}>
        {model.status !== null && <p className="waymark-screen-status">{model.status}</p>}
        <h1 className={`waymark-screen-heading${long}`}>{model.heading}</h1>
        <p className="waymark-screen-sentence">{model.sentence}</p>
        {model.digest !== null && <p className="waymark-screen-digest">{model.digest}</p>}
        <div className="waymark-screen-ways">
          {model.links.map(({ href, label }) => (
            // The page may be broken: these ask the server, not the router.
            <a key={href} href={href} data-waymark-document="">
              {label}
            </a>
          ))}
          <BackButton label={model.back} />
        </div>
      </Element>
    </>
  )
}

/** 404, for an unmatched URL and `notFound()`. */
export function NotFoundScreen(props: ScreenProps): ReactNode {
  return <Screen {...props} screen={{ kind: 'fallback', status: 404 }} />
}

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
