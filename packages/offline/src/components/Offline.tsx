import type { ReactElement } from 'react'
import { policyName } from '../shared/policy.ts'

export type OfflineProps =
  /** The page is never kept. */
  | { readonly keep: false; readonly privateFor?: undefined }
  /** A page that is private may be kept for who is here, at most so many seconds. */
  | { readonly keep?: true; readonly privateFor: number }

/**
 * Says whether the page that it is rendered in, or each page of a layout, may be kept for when there
 * is no network. Where several say so, the strictest counts.
 */
export function Offline({ keep = true, privateFor }: OfflineProps): ReactElement {
  if (keep && !(Number.isSafeInteger(privateFor) && Number(privateFor) > 0)) {
    throw new Error(
      `<Offline> got privateFor=${privateFor}. It is a whole number of seconds, above 0.`,
    )
  }
  return <meta name={policyName} content={keep ? `${privateFor}` : '0'} />
}
