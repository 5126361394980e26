'use client'

import { Component, type ComponentType, type ReactNode, useContext, useEffect } from 'react'
import { decodeSignal, type Signal } from '../shared/signals.ts'
import { PlaceContext } from './contexts.ts'
import { RouterContext } from './router.ts'

/** What an `error` file's component gets. */
export type ErrorScreenProps = {
  readonly error: Error & { digest?: string }
  /** Shows the children again as they were. */
  readonly reset: () => void
  /** Fetches the page again, then shows it. */
  readonly retry: () => void
}

type BoundaryProps = {
  readonly screen: ComponentType<ErrorScreenProps>
  readonly children?: ReactNode
}

/** Shows a screen in place of children that threw; a navigation clears it. */
export function ErrorBoundary({ screen: Screen, children }: BoundaryProps): ReactNode {
  const { route } = useContext(PlaceContext).page
  const { router } = useContext(RouterContext)
  return (
    <CatchErrors
      resetKey={route.pathname + route.search}
      fallback={(error, reset) => {
        // Its answer is further up.
        if (signalIn(error)) throw error
        const retry = () => void router.refresh().then(reset)
        return <Screen error={error} reset={reset} retry={retry} />
      }}
    >
      {children}
    </CatchErrors>
  )
}

/**
 * Answers signals that the server could not answer any more, because the page's status was sent:
 * the page is asked for again, with its true status.
 */
export function SignalBoundary({ children }: { children?: ReactNode }): ReactNode {
  const { route } = useContext(PlaceContext).page
  return (
    <CatchErrors
      resetKey={route.pathname + route.search}
      fallback={(error, reset) => <AnswerSignal error={error} reset={reset} />}
    >
      {children}
    </CatchErrors>
  )
}

function AnswerSignal({ error, reset }: { error: Error & { digest?: string }; reset(): void }) {
  const { router, settle } = useContext(RouterContext)
  const signal = signalIn(error)
  useEffect(() => {
    if (signal?.kind === 'redirect') void router.replace(signal.location).then(reset)
    else if (signal) settle()
  }, [signal, router, settle, reset])
  if (!signal) throw error
  return null
}

function signalIn(error: { digest?: string }): Signal | null {
  return typeof error?.digest === 'string' ? decodeSignal(error.digest) : null
}

type CatchProps = {
  /** Another key clears what was caught. */
  readonly resetKey: string
  readonly fallback: (error: Error & { digest?: string }, reset: () => void) => ReactNode
  readonly children?: ReactNode
}
type CatchState = { readonly caught: { readonly error: Error } | null; readonly resetKey: string }

class CatchErrors extends Component<CatchProps, CatchState> {
  override state: CatchState = { caught: null, resetKey: this.props.resetKey }

  static getDerivedStateFromError(error: unknown): Partial<CatchState> {
    // An app may throw anything; what screens get is an error.
    return { caught: { error: error instanceof Error ? error : new Error(String(error)) } }
  }

  static getDerivedStateFromProps(
    props: CatchProps,
    state: CatchState,
  ): Partial<CatchState> | null {
    if (props.resetKey === state.resetKey) return null
    return { caught: null, resetKey: props.resetKey }
  }

  reset = (): void => this.setState({ caught: null })

  override render(): ReactNode {
    const { caught } = this.state
    return caught ? this.props.fallback(caught.error, this.reset) : this.props.children
  }
}

/** The screen of an error that the server met before it sent the page. */
export function ServerError({
  screen: Screen,
  digest,
}: {
  screen: ComponentType<ErrorScreenProps>
  digest: string
}): ReactNode {
  const { router } = useContext(RouterContext)
  const error = Object.assign(new Error('The server could not render this page.'), { digest })
  const retry = () => void router.refresh()
  return <Screen error={error} reset={retry} retry={retry} />
}
