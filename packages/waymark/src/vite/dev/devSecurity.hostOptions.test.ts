import { expect, test } from 'vitest'
import { hostOptions } from './devSecurity.ts'

test('the dev server also responds under the hosts that the app names', () => {
  const named = ['Example.com', '*.example.com:8443', 'localhost:3000']
  const allowedHosts = ['example.com', '.example.com', 'localhost']
  expect(hostOptions(undefined, named)).toEqual({ allowedHosts })
  expect(hostOptions(['other.test'], named)).toEqual({ allowedHosts })
})

test('without a list, or where Vite allows all hosts, nothing changes', () => {
  expect(hostOptions(undefined, null)).toEqual({})
  expect(hostOptions(true, ['example.com'])).toEqual({})
})
