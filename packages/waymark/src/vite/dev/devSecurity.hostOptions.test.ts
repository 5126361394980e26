import { expect, test } from 'vitest'
import { hostOptions } from './devSecurity.ts'

test("the dev server also accepts the app's allowed hosts", () => {
  const named = ['Example.com', '*.example.com:8443', 'localhost:3000']
  const allowedHosts = ['example.com', '.example.com', 'localhost']
  expect(hostOptions(undefined, named)).toEqual({ allowedHosts })
  expect(hostOptions(['other.test'], named)).toEqual({ allowedHosts })
})

test('nothing changes without a list, or if Vite allows all hosts', () => {
  expect(hostOptions(undefined, null)).toEqual({})
  expect(hostOptions(true, ['example.com'])).toEqual({})
})
