'use client'

import { useSyncExternalStore } from 'react'
import { readPackageTexts } from 'waymark/plugin/client'
import { getState, initialState, subscribe } from './store.ts'
import { english } from './texts.ts'

function useFlags() {
  return useSyncExternalStore(subscribe, getState, () => initialState)
}

/** True if the user has the flag; false until the flags have been loaded. */
export function useFlag(name: string): boolean {
  return useFlags().flags[name] === true
}

/** Says that the flags could not be loaded; shows nothing otherwise. */
export function FlagsNotice() {
  // A browser has loaded the flags before, so the server renders nothing here.
  if (!useFlags().hasFailed) return null
  const { lang, dir, texts } = readPackageTexts('flags', english)
  return (
    <p role="alert" lang={lang} dir={dir}>
      {texts.failed}
    </p>
  )
}
