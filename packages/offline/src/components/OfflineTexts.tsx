import type { ReactElement } from 'react'
import { type OfflineTexts as Texts, textsName } from '../shared/ageTexts.ts'

/** Gives the line over a kept page and the built-in screen other texts, in the language of a layout. */
export function OfflineTexts(texts: Partial<Texts>): ReactElement {
  return <meta name={textsName} content={JSON.stringify(texts)} />
}
