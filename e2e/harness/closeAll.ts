import { afterAll } from 'vitest'
import { killServers } from './serverProcess.ts'

// The suites stop what they start; this is for those that failed before they could.
afterAll(killServers)
