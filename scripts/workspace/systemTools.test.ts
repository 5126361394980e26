import { afterEach, expect, test, vi } from 'vitest'
import { findBrowser, findProgram } from './systemTools.mjs'

afterEach(() => vi.unstubAllEnvs())

test('WAYMARK_BROWSER names the browser by path or by name', () => {
  vi.stubEnv('WAYMARK_BROWSER', process.execPath)
  expect(findBrowser()).toBe(process.execPath)
  vi.stubEnv('WAYMARK_BROWSER', 'sh')
  expect(findBrowser()).toMatch(/\/sh$/)
})

test('a WAYMARK_BROWSER that is not there is not replaced by another browser', () => {
  vi.stubEnv('WAYMARK_BROWSER', '/no/such/browser')
  expect(findBrowser()).toBeNull()
})

test('a program that is on no PATH is missing', () => {
  vi.stubEnv('PATH', '')
  expect(findProgram(['sh'])).toBeNull()
})
