import { afterAll } from 'vitest'
import { closeBrowser } from './browser.ts'
import { killServers } from './serverProcess.ts'

// The suites stop what they start; this is for those that failed before they could.
afterAll(closeBrowser)
process.on('exit', killServers)
