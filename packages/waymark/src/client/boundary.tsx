'use client'

import {
  Component,
  type ComponentType,
  type ContextType,
  type ReactNode,
  useContext,
  useEffect,
} from 'react'
import type { ErrorScreenProps } from '../shared/payload.ts'
import { decodeSignal, type Signal } from '../shared/signals.ts'
import { DigestContext, RenderContextContext } from './contexts.ts'
import { RouterContext } from './router.ts'

type BoundaryProps = {
  readonly screen: ComponentType<ErrorScreenProps>
  readonly children?: ReactNode
}

/** Shows a screen in place of children that threw; a navigation clears it. */
export function ErrorBoundary({ screen: Screen, children }: BoundaryProps): ReactNode {
  const { route } = useContext(RenderContextContext).page
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
  const { route } = useContext(RenderContextContext).page
  return (
    <CatchErrors
      resetKey={route.pathname + route.search}
      fallback={(error, reset) => <AnswerSignal error={error} reset={reset} />}
    >
      {children}
    </CatchErrors>
  )
}

/** Does what a caught signal asks for; what is no signal it throws on. */
export function AnswerSignal({
  error,
  reset,
}: {
  error: Error & { digest?: string }
  reset(): void
}) {
  const { router, settle } = useContext(RouterContext)
  const signal = signalIn(error)
  useEffect(() => {
    // In development, effects run twice: the first navigation then ends as superseded.
    if (signal?.kind === 'redirect') {
      void router.replace(signal.location).then((outcome) => outcome === 'committed' && reset())
    } else if (signal) settle()
  }, [signal, router, settle, reset])
  if (!signal) throw error
  return null
}

/** Reads the signal of what a boundary caught. */
export function signalIn(error: { digest?: string }): Signal | null {
  return typeof error?.digest === 'string' ? decodeSignal(error.digest) : null
}

type CatchProps = {
  /** Another key clears what was caught. */
  readonly resetKey: unknown
  readonly fallback: (error: Error & { digest?: string }, reset: () => void) => ReactNode
  readonly children?: ReactNode
}
type CatchState = { readonly caught: { readonly error: Error } | null; readonly resetKey: unknown }

/** Catches what its children throw. */
export class CatchErrors extends Component<CatchProps, CatchState> {
  static override contextType = DigestContext
  declare context: ContextType<typeof DigestContext>
  override state: CatchState = { caught: null, resetKey: this.props.resetKey }

  static getDerivedStateFromError(error: unknown): Partial<CatchState> {
    return { caught: { error: errorFrom(error) } }
  }

  static getDerivedStateFromProps(
    props: CatchProps,
    state: CatchState,
  ): Partial<CatchState> | null {
    if (props.resetKey === state.resetKey) return null
    return { caught: null, resetKey: props.resetKey }
  }

  // In the journal it has a digest, which the screen shows once that is known.
  override async componentDidCatch(thrown: unknown): Promise<void> {
    const { caught } = this.state
    const digest = await this.context(thrown)
    if (digest === null || !caught) return
    // Meanwhile, it may have been cleared, or another one was caught.
    this.setState((now) =>
      now.caught === caught ? { caught: { error: withDigest(caught.error, digest) } } : null,
    )
  }

  reset = (): void => this.setState({ caught: null })

  override render(): ReactNode {
    const { caught } = this.state
    return caught ? this.props.fallback(caught.error, this.reset) : this.props.children
  }
}

/** An app may throw anything; what screens get is an error that can be read. */
function errorFrom(thrown: unknown): Error {
  try {
    if (thrown instanceof Error) {
      // A getter that throws would throw in the screen.
      void [thrown.name, thrown.message, thrown.stack, (thrown as { digest?: unknown }).digest]
      return thrown
    }
    return new Error(String(thrown))
  } catch {
    return new Error('Something was thrown that can not be read.')
  }
}

function withDigest(error: Error & { digest?: string }, digest: string): Error {
  if (error.digest === digest) return error
  try {
    return Object.assign(error, { digest })
  } catch {
    // A frozen one.
    const { name, message, stack } = error
    return Object.assign(new Error(message, { cause: error }), { name, stack, digest })
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
