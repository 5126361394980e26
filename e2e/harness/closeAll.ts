import { afterAll } from 'vitest'
import { closePages } from './browser.ts'
import { killServers } from './serverProcess.ts'
import { stopSharedApps } from './sharedApp.ts'

// The suites stop what they start; this is for those that failed before they could.
// Hooks run from the last to the first: servers that do not stop are killed.
afterAll(killServers)
afterAll(stopSharedApps)
afterAll(closePages)
