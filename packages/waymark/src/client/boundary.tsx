'use client'

import { Component, type ComponentType, type ReactNode, useContext } from 'react'
import { signalOf } from '../shared/signals.ts'
import { PayloadContext } from './contexts.ts'
import { useRouter } from './router.ts'

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
export function ErrorBoundary({ screen, children }: BoundaryProps): ReactNode {
  const { route } = useContext(PayloadContext)
  const { refresh } = useRouter()
  return (
    <CatchErrors screen={screen} resetKey={route.pathname + route.search} refresh={refresh}>
      {children}
    </CatchErrors>
  )
}

type CatchProps = BoundaryProps & { readonly resetKey: string; readonly refresh: () => void }
type CatchState = { readonly caught: { readonly error: unknown } | null; readonly resetKey: string }

class CatchErrors extends Component<CatchProps, CatchState> {
  override state: CatchState = { caught: null, resetKey: this.props.resetKey }

  static getDerivedStateFromError(error: unknown): Partial<CatchState> {
    // A signal is not a failure: the boundary that answers it is further up.
    if (signalOf(error)) throw error
    return { caught: { error } }
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
    if (!caught) return this.props.children
    const Screen = this.props.screen
    const retry = () => {
      this.props.refresh()
      this.reset()
    }
    return <Screen error={caught.error as Error} reset={this.reset} retry={retry} />
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
  const { refresh } = useRouter()
  const error = Object.assign(new Error('The server could not render this page.'), { digest })
  return <Screen error={error} reset={refresh} retry={refresh} />
}
