export { type FaultProxy, startFaultProxy } from '@waymark/testing'
