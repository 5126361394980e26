'use client'

import {
  Component,
  type ComponentType,
  type ContextType,
  type ReactNode,
  useContext,
  useEffect,
  useState,
} from 'react'
import { withBasePath } from '../shared/basePath.ts'
import { readDocumentTexts } from '../wire/documentMarks.ts'
import type { ErrorScreenProps, Payload } from '../wire/payload.ts'
import { encodeScreenPlace, signalOf } from '../wire/signals.ts'
import {
  type ClientScreens,
  DigestContext,
  RenderContext,
  RouterContext,
  useRouter,
} from './routerContext.ts'

type CaughtError = Error & { digest?: string }

type Caught = { readonly error: CaughtError; readonly reset: () => void }

type ScreenProps = { readonly screen: ComponentType<ErrorScreenProps> }
type ChildrenProps = { readonly children?: ReactNode }

export function ErrorBoundary({ screen, children }: ScreenProps & ChildrenProps): ReactNode {
  const fallback = (caught: Caught) => {
    if (signalOf(caught.error)) throw caught.error
    return <ErrorScreen screen={screen} {...caught} />
  }
  return (
    <CatchErrors resetKey={useTarget()} fallback={fallback}>
      {children}
    </CatchErrors>
  )
}

/**
 * Handles signals, such as `notFound()`, that are thrown after the page's status was sent: makes
 * the server render the nearest screen.
 */
export function SignalBoundary({ slot, children }: ChildrenProps & { slot: string }): ReactNode {
  const fallback = (caught: Caught) => <HandleSignal {...caught} slot={slot} />
  return (
    <CatchErrors resetKey={useTarget()} fallback={fallback}>
      {children}
    </CatchErrors>
  )
}

function useTarget(): string {
  const { route } = useContext(RenderContext).page
  return route.pathname + route.search
}

function ErrorScreen({ screen: Screen, error, reset }: ScreenProps & Caught): ReactNode {
  const { router } = useContext(RouterContext)
  const retry = () => void router.refresh().then(reset)
  return <Screen error={error} reset={reset} retry={retry} />
}

// Milliseconds to wait for the app's own screen. Until then, the built-in screen isn't shown,
// because it would only flash.
const builtInAfterMs = 300

/**
 * Follows a caught redirect, or shows the screen of a caught signal.
 * @param slot a slot of the segment around the boundary; `undefined` for the root boundary
 */
function HandleSignal({ error, reset, slot }: Caught & { slot?: string }): ReactNode {
  const { router, fetchScreen } = useContext(RouterContext)
  const { segment } = useContext(RenderContext)
  const [isBuiltIn, setBuiltIn] = useState(false)
  const key = slot === undefined ? '' : segment?.key
  useEffect(() => {
    const signal = signalOf(error)
    // In development, effects run twice. That does no harm, because the second navigation
    // supersedes the first.
    if (signal?.kind === 'redirect') {
      void router.replace(signal.location).then((outcome) => outcome === 'committed' && reset())
    }
    if (signal?.kind !== 'fallback') return
    fetchScreen(encodeScreenPlace({ status: signal.status, slot: slot ?? '', key: key ?? '' }))
    const timer = setTimeout(setBuiltIn, builtInAfterMs, true)
    return () => clearTimeout(timer)
  }, [error, router, fetchScreen, reset, slot, key])
  const signal = signalOf(error)
  if (!signal) throw error
  return isBuiltIn && <BuiltInScreen status={signal.status} isDocument={slot === undefined} />
}

type CatchProps = ChildrenProps & {
  readonly resetKey: unknown
  readonly fallback: (caught: Caught) => ReactNode
}
type CatchState = { readonly caught: { readonly error: Error } | null; readonly resetKey: unknown }

class CatchErrors extends Component<CatchProps, CatchState> {
  static override contextType = DigestContext
  declare context: ContextType<typeof DigestContext>
  override state: CatchState = { caught: null, resetKey: this.props.resetKey }

  static getDerivedStateFromError(error: unknown): Partial<CatchState> {
    // True for a call that didn't reach the server. A notice reports the call, and the form's
    // fields are filled in again.
    const isHandled = (error as { onUncaught?(): boolean } | undefined)?.onUncaught?.()
    return { caught: isHandled ? null : { error: errorFrom(error) } }
  }

  static getDerivedStateFromProps({ resetKey }: CatchProps, state: CatchState): CatchState | null {
    return resetKey === state.resetKey ? null : { caught: null, resetKey }
  }

  // The screen shows the error's digest, which identifies its journal entry, once the digest is
  // known.
  override async componentDidCatch(thrown: unknown): Promise<void> {
    const { caught } = this.state
    const digest = await this.context(thrown)
    if (digest === null || !caught) return
    // The boundary may have been reset, or may have caught a different error, in the meantime.
    this.setState((now) =>
      now.caught === caught ? { caught: { error: withDigest(caught.error, digest) } } : null,
    )
  }

  reset = (): void => this.setState({ caught: null })

  override render(): ReactNode {
    const { caught } = this.state
    const { fallback, children } = this.props
    return caught ? fallback({ error: caught.error, reset: this.reset }) : children
  }
}

function errorFrom(thrown: unknown): Error {
  try {
    if (thrown instanceof Error) {
      // Read the properties now: a getter that throws must not do so while the screen renders.
      void [thrown.name, thrown.message, thrown.stack, (thrown as { digest?: unknown }).digest]
      return thrown
    }
    return new Error(String(thrown))
  } catch {
    return new Error("A value was thrown that can't be converted to a string.")
  }
}

function withDigest(error: CaughtError, digest: string): Error {
  if (error.digest === digest) return error
  try {
    return Object.assign(error, { digest })
  } catch {
    const { name, message, stack } = error
    return Object.assign(new Error(message, { cause: error }), { name, stack, digest })
  }
}

export function ServerError({
  screen: Screen,
  digest,
}: ScreenProps & { digest: string }): ReactNode {
  const { router } = useContext(RouterContext)
  const error = Object.assign(new Error("The server couldn't render this page."), { digest })
  const retry = () => void router.refresh()
  return <Screen error={error} reset={retry} retry={retry} />
}

/**
 * Renders a page in the browser, for a client component that failed when the server rendered its
 * HTML.
 */
export function RenderInBrowser(): ReactNode {
  const { router } = useContext(RouterContext)
  useEffect(() => void router.refresh(), [router])
  return null
}

/**
 * Shows a whole document if an error is thrown outside of all other boundaries: the app's
 * `global-error`, or the built-in screen if there is no `global-error` or it throws, too.
 */
export function RootBoundary({ page, children }: ChildrenProps & { page: Payload }): ReactNode {
  const [globalError] = useState(page.globalError)
  const fallback = (caught: Caught) => {
    if (!globalError || signalOf(caught.error)) return <HandleSignal {...caught} />
    return (
      <>
        {globalError.styles}
        <ErrorScreen screen={globalError.screen} {...caught} />
      </>
    )
  }
  return (
    <CatchErrors
      resetKey={page}
      fallback={({ error }) => <BuiltInScreen digest={error.digest} isDocument />}
    >
      <CatchErrors resetKey={page} fallback={fallback}>
        {children}
      </CatchErrors>
    </CatchErrors>
  )
}

/** The built-in screen, which is plain text until its code has loaded. */
function BuiltInScreen(props: BuiltIn): ReactNode {
  const { status, digest, isDocument } = props
  const code = useScreens()
  if (code && status !== undefined) return <code.ClientStatusScreen {...props} status={status} />
  if (code) return <code.ClientErrorScreen digest={digest} />
  const written = readDocumentTexts(document)
  const { clientErrorTitle: title, reload, home } = { ...plainTexts, ...written?.texts }
  const heading = written?.texts.clientErrorTitle ? title : 'Something went wrong on this page.'
  const plain = (
    <>
      <h1>{status ?? heading}</h1>
      <p>{digest}</p>
      {plainLink(window.location.href, reload)} {plainLink(withBasePath('/'), home)}
    </>
  )
  return isDocument ? (
    <html lang={written?.lang ?? 'en'} suppressHydrationWarning>
      <head>
        <meta name="viewport" content="width=device-width" />
        <title>{status ?? title}</title>
      </head>
      <body>{plain}</body>
    </html>
  ) : (
    plain
  )
}

const plainTexts = { clientErrorTitle: 'Application error', reload: 'Reload', home: 'Home' }

type BuiltIn = { status?: number; digest?: string | undefined; isDocument: boolean }

const plainLink = (href: string, text: string) => (
  <a href={href} data-waymark-document="">
    {text}
  </a>
)

function useScreens(): ClientScreens | null {
  const { screens } = useContext(RouterContext)
  const [code, setCode] = useState(screens.loaded)
  useEffect(() => {
    if (!code) screens.load().then(setCode, () => {})
  }, [screens, code])
  return code
}

/** A redirect that was thrown after the document had begun. It also works without JavaScript. */
export function StreamedRedirect({ location }: { location: string }): ReactNode {
  const router = useRouter()
  useEffect(() => {
    void router.replace(location)
  }, [router, location])
  return <meta httpEquiv="refresh" content={`0;url=${withBasePath(location)}`} />
}
