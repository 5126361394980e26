import { actions } from './actions.ts'
import { browser } from './browser.ts'
import { caching } from './caching.ts'
import type { CaseGroup } from './case.ts'
import { headers } from './headers.ts'
import { pages } from './pages.ts'
import { privacy } from './privacy.ts'
import { streams } from './streams.ts'

/** All cases, in the order in which they run. */
export const caseGroups: readonly CaseGroup[] = [
  pages,
  headers,
  caching,
  privacy,
  actions,
  streams,
  browser,
]
