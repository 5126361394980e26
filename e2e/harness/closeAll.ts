import { afterAll } from 'vitest'
import { closePages } from './browser.ts'
import { killServers } from './serverProcess.ts'
import { forgetSharedApps } from './sharedApp.ts'

// The suites stop what they start; this is for those that failed before they could. The next file
// runs in the same process.
afterAll(async () => {
  await closePages()
  killServers()
  forgetSharedApps()
})
