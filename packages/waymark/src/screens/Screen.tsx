import type { ReactNode } from 'react'
import { BackButton } from './BackButton.tsx'
import type { ScreenModel } from './model.ts'
import { documentStyle, screenStyle } from './style.ts'

/**
 * A built-in screen, which needs none of the app's scripts or stylesheets.
 * @param as `div` if a layout already has a `<main>` around the screen
 */
export function Screen({
  model,
  as: Element = 'main',
}: {
  readonly model: ScreenModel
  readonly as?: 'main' | 'div'
}): ReactNode {
  const long = model.isLong ? ' waymark-screen-long' : ''
  // The router may mark the screen as the main landmark before hydration, so suppress the warning.
  const mayDiffer = import.meta.env?.DEV ? { suppressHydrationWarning: true } : null
  return (
    <>
      <style href="waymark-screen" precedence="waymark-screen">
        {screenStyle}
      </style>
      <Element className="waymark-screen" lang={model.lang} dir={model.dir} {...mayDiffer}>
        {model.status !== null && <p className="waymark-screen-status">{model.status}</p>}
        <h1 className={`waymark-screen-heading${long}`}>{model.heading}</h1>
        <p className="waymark-screen-sentence">{model.sentence}</p>
        {model.digest !== null && <p className="waymark-screen-digest">{model.digest}</p>}
        <div className="waymark-screen-ways">
          {model.form !== null && (
            <button type="submit" form="waymark-screen-form">
              {model.form.label}
            </button>
          )}
          {model.links.map(({ href, label }) => (
            // The router may be broken, so links load a document.
            <a key={href} href={href} data-waymark-document="">
              {label}
            </a>
          ))}
          <BackButton label={model.back} />
        </div>
        {model.form !== null && (
          <form id="waymark-screen-form" method="post" action={model.form.action} />
        )}
      </Element>
    </>
  )
}

export function ScreenDocument({
  locale: { lang, dir },
  title,
  children,
}: {
  readonly locale: Pick<ScreenModel, 'lang' | 'dir'>
  readonly title: string | null
  readonly children?: ReactNode
}): ReactNode {
  return (
    // The theme script sets attributes on <html> that React hasn't rendered, so suppress the
    // warning.
    <html lang={lang} dir={dir} suppressHydrationWarning>
      <head>{title !== null && <title>{title}</title>}</head>
      <body>{children}</body>
    </html>
  )
}

export function ScreenPage({ model }: { readonly model: ScreenModel }): ReactNode {
  const { title, lang, dir } = model
  return (
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
        <Screen model={model} />
      </body>
    </html>
  )
}
