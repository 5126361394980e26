'use client'

import { useSyncExternalStore } from 'react'
import { readPackageTexts } from 'waymark/plugin/client'
import { getState, initialState, subscribe } from './store.ts'
import { english } from './texts.ts'

function useFlags() {
  return useSyncExternalStore(subscribe, getState, () => initialState)
}

/** True if the user has the flag. False until the flags are loaded. */
export function useFlag(name: string): boolean {
  return useFlags().flags[name] === true
}

/** Shows a notice if the flags could not be loaded. */
export function FlagsNotice() {
  // Only browsers load flags, so the server never renders this notice.
  if (!useFlags().hasFailed) return null
  const { lang, dir, texts } = readPackageTexts('flags', english)
  return (
    <p role="alert" lang={lang} dir={dir}>
      {texts.failed}
    </p>
  )
}
