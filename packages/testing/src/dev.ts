export { createDevFaults, type DevFaults } from './drill/faultSessions.ts'
export { drillPage } from './drill/runDrill.ts'
