export { cacheDriverSuite } from './cache/cacheDriverSuite.ts'
export { journalDriverSuite } from './journal/journalDriverSuite.ts'
export type { TestRunner } from './shared/testRunner.ts'
