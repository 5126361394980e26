import { afterAll } from 'vitest'
import { closePages } from './browser.ts'
import { killServers } from './serverProcess.ts'
import { stopSharedApps } from './sharedApp.ts'

// Suites stop everything that they start. These hooks clean up after suites that failed to do so.
// Hooks run in reverse order, so servers that nothing else stopped are killed last.
afterAll(killServers)
afterAll(stopSharedApps)
afterAll(closePages)
