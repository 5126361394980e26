'use client'
import { useEffect, useEffectEvent, useRef } from 'react'

type Handlers = {
  readonly onLoad?: ((event?: unknown) => void) | undefined
  readonly onReady?: (() => void) | undefined
  readonly onError?: ((event?: unknown) => void) | undefined
}

type ScriptWindow = Window & { readonly waymarkScripts?: unknown }

/**
 * Scripts whose `onLoad` has been called. For components that are mounted later, only `onReady` is
 * called.
 */
const heard = new Set<string>()

/** Calls the handlers of a script, even if the script loaded before React started. */
export function ScriptEvents({ name, onLoad, onReady, onError }: Handlers & { name: string }) {
  const isNotified = useRef(false)
  const tell = useEffectEvent((state: unknown, isNew: boolean) => {
    if (state === undefined || isNotified.current) return
    isNotified.current = true
    if (state === 'failed') {
      onError?.(new Event('error'))
      return
    }
    heard.add(name)
    if (isNew) onLoad?.(new Event('load'))
    onReady?.()
  })
  useEffect(() => {
    const onNews = (event: Event) => {
      const { detail } = event as CustomEvent<{ name: string; state: string }>
      if (detail.name === name) tell(detail.state, true)
    }
    const states = (window as ScriptWindow).waymarkScripts
    // Before the loader has run, `window.waymarkScripts` may be an element with this id.
    if (states instanceof Map) tell(states.get(name), !heard.has(name))
    window.addEventListener('waymark:script', onNews)
    return () => window.removeEventListener('waymark:script', onNews)
  }, [name])
  return null
}
