import { expect, test } from 'vitest'
import { assertNodeVersion } from './install.mjs'

test.each(['20.19.0', '20.20.2', '22.0.0', '24.1.0'])('Node %s is new enough', (version) => {
  expect(() => assertNodeVersion(version)).not.toThrow()
})

test.each(['18.20.0', '20.18.3'])('Node %s is refused by name', (version) => {
  expect(() => assertNodeVersion(version)).toThrow(`This is Node ${version}`)
})
