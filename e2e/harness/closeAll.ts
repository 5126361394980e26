import { afterAll } from 'vitest'
import { closePages } from './browser.ts'
import { killServers } from './serverProcess.ts'

// The suites stop what they start; this is for those that failed before they could.
afterAll(killServers)
afterAll(closePages)
