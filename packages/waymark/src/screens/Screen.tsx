import type { ReactNode } from 'react'
import type { FallbackStatus } from '../shared/signals.ts'
import { BackButton } from './BackButton.tsx'
import { type ScreenOptions, type ScreenRequest, screenModel } from './model.ts'
import { screenStyle } from './style.ts'

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
  return <FallbackScreen {...props} status={404} />
}

/** 401, for `unauthorized()`. */
export function UnauthorizedScreen(props: ScreenProps): ReactNode {
  return <FallbackScreen {...props} status={401} />
}

/** 403, for `forbidden()`. */
export function ForbiddenScreen(props: ScreenProps): ReactNode {
  return <FallbackScreen {...props} status={403} />
}

/** The screen of a signal's status. */
export function FallbackScreen(props: ScreenProps & { status: FallbackStatus }): ReactNode {
  return <Screen {...props} screen={{ kind: 'fallback', status: props.status }} />
}

/** Any other status; `heading` replaces what is usually said about it. */
export function HttpErrorScreen(
  props: ScreenProps & { status: number; heading?: string },
): ReactNode {
  const { status, heading } = props
  return <Screen {...props} screen={{ kind: 'http', status, heading }} />
}

/** An exception, in the browser or on the server. */
export function ApplicationErrorScreen(
  props: ScreenProps & { side: 'client' | 'server'; host: string; digest?: string | undefined },
): ReactNode {
  const { side, host, digest } = props
  return <Screen {...props} screen={{ kind: 'application', side, host, digest }} />
}
