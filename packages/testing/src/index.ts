export type { CacheWrite } from './drill/builtApp.ts'
export { launchBrowser } from './drill/drillBrowser.ts'
export type { DrillAction, DrillConfig } from './drill/drillConfig.ts'
export type { Fault, ProxiedRequest } from './drill/fault.ts'
export { type FaultProxy, startFaultProxy } from './drill/faultProxy.ts'
export { type MachineFault, machineFaults } from './drill/machineFaults.ts'
export { cacheDriverSuite } from './drivers/cacheDriverSuite.ts'
export { journalDriverSuite } from './drivers/journalDriverSuite.ts'
export type { TestRunner } from './drivers/testRunner.ts'
export { type Rendered, type RenderOptions, render } from './testApp/render.tsx'
export {
  type TestApp,
  type TestAppOptions,
  type TestRequest,
  type TestRequestInit,
  type TestResponse,
  testApp,
} from './testApp/testApp.ts'
export type { TestForm } from './testApp/testHtml.ts'
export { type PageFault, withFault } from './testApp/withFault.ts'
