import type { ReactElement } from 'react'
import { policyName } from '../shared/policy.ts'

export type OfflineProps =
  /** `keep: false` prevents browsers from saving the page. */
  | { readonly keep: false; readonly privateFor?: undefined }
  /** Seconds for which a private page may be saved for the current user. */
  | { readonly keep?: true; readonly privateFor: number }

/**
 * Sets if browsers may save a page for use without a network. Render `<Offline>` in a page, or in a
 * layout for all of its pages. If they disagree, the strictest setting counts.
 * @throws if `privateFor` isn't a whole number above 0
 */
export function Offline({ keep = true, privateFor }: OfflineProps): ReactElement {
  if (keep && !(Number.isSafeInteger(privateFor) && Number(privateFor) > 0)) {
    throw new Error(
      `<Offline> got privateFor=${privateFor}. Set it to a whole number of seconds above 0.`,
    )
  }
  return <meta name={policyName} content={keep ? `${privateFor}` : '0'} />
}
