'use client'

import { type InputHTMLAttributes, type ReactNode, useEffect, useState } from 'react'
import type { CheckedHref } from '../routing/appRoutes.ts'
import { withParams } from '../routing/withParams.ts'
import { withBasePath, withoutSlash } from '../shared/basePath.ts'
import { Form } from './Form.tsx'
import { usePathname } from './hooks.ts'
import { volatileAttribute } from './linkAttributes.ts'
import { useRouter } from './routerContext.ts'
import { useSearchParams } from './useSearchParams.ts'

/** Props of `SearchField`. Other props go to its `<input>`. */
export type SearchFieldProps<Given extends string = string> = Omit<
  InputHTMLAttributes<HTMLInputElement>,
  'value' | 'defaultValue' | 'form' | 'formAction'
> & {
  /** Path of the page that shows the results. */
  readonly action: CheckedHref<Given>
  /** Search parameter that holds the text. */
  readonly name: string
  /** Parameters that a new search removes, such as the page number. */
  readonly reset?: readonly string[]
  /** Milliseconds without input after which the search starts. Default: 250. */
  readonly pauseMs?: number
  /** Content after the field, such as a button. */
  readonly children?: ReactNode
}

/**
 * A search field that updates the results page while the user types. It renders a GET form, which
 * also works without scripts. The field and the URL stay the same when the user goes back.
 */
export function SearchField<const Given extends string>({
  action,
  name,
  reset = [],
  pauseMs = 250,
  children,
  onChange,
  onCompositionEnd,
  onBlur,
  ...attributes
}: SearchFieldProps<Given>): ReactNode {
  const router = useRouter()
  const params = useSearchParams()
  const isHere = pathOf(usePathname()) === pathOf(action)
  const searched = (isHere && params.get(name)) || ''
  const [seen, setSeen] = useState(searched)
  const [text, setText] = useState(searched)
  /** Text that is searched for once the user pauses. */
  const [waiting, setWaiting] = useState<string | null>(null)
  /** Text of the search that is running. */
  const [running, setRunning] = useState<string | null>(null)

  if (searched !== seen) {
    setSeen(searched)
    // Keep the text while this field's own search arrives, because the user may have typed more.
    if (running === null) {
      setText(searched)
      setWaiting(null)
    }
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: only new input starts the pause again
  useEffect(() => {
    if (waiting === null) return
    const timer = setTimeout(search, pauseMs, waiting)
    return () => clearTimeout(timer)
  }, [waiting])

  async function search(typed: string): Promise<void> {
    setWaiting(null)
    setRunning(typed)
    // Read the current URL, because another part of the page may have changed it meanwhile.
    const isStillHere = pathOf(location.pathname) === pathOf(withBasePath(action))
    const current = new URLSearchParams(isStillHere ? location.search : '')
    const removed = Object.fromEntries(reset.map((each) => [each, null]))
    const href = withParams<string>(action, current, { ...removed, [name]: typed })
    await router.push(href, { replace: isStillHere, scroll: !isStillHere })
    setRunning((latest) => (latest === typed ? null : latest))
  }

  function onText({ value }: HTMLInputElement, isComposing: boolean): void {
    setText(value)
    setWaiting(isComposing ? null : value)
  }

  return (
    <Form
      action={action}
      role="search"
      onSubmit={(event) => {
        event.preventDefault()
        void search(text)
      }}
    >
      <input
        type="search"
        autoComplete="off"
        enterKeyHint="search"
        {...{ [volatileAttribute]: '' }}
        {...attributes}
        name={name}
        value={text}
        onChange={(event) => {
          onChange?.(event)
          // React gives the native event a general type, but a text field gets input events.
          const { isComposing } = event.nativeEvent as InputEvent
          onText(event.currentTarget, isComposing)
        }}
        onCompositionEnd={(event) => {
          onCompositionEnd?.(event)
          onText(event.currentTarget, false)
        }}
        onBlur={(event) => {
          onBlur?.(event)
          // Don't search later, because a clicked link may start a navigation meanwhile.
          if (waiting !== null) void search(waiting)
        }}
      />
      {isHere && <OtherParams params={params} except={[name, ...reset]} />}
      {children}
    </Form>
  )
}

/** Hidden fields that keep the other parameters when the browser submits the form without scripts. */
function OtherParams({
  params,
  except,
}: {
  params: URLSearchParams
  except: readonly string[]
}): ReactNode {
  const others = [...params].filter(([name]) => !except.includes(name))
  return others.map(([name, value], index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a query may repeat a pair, and hidden fields have no state
    <input key={index} type="hidden" name={name} value={value} />
  ))
}

/** Returns the path of a URL in the form in which the router writes it, without a slash at its end. */
function pathOf(href: string): string {
  return withoutSlash(new URL(href, 'http://localhost').pathname)
}
