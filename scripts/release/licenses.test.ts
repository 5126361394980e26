import { expect, test } from 'vitest'
import { licenseList, licenseViolations } from './licenses.mjs'

function sbomOf(...components: { name: string; group?: string; licenses?: object[] }[]) {
  return { bomFormat: 'CycloneDX', components }
}

test('licences that require only a notice are accepted', () => {
  const sbom = sbomOf(
    { name: 'a', licenses: [{ license: { id: 'MIT' } }] },
    { name: 'b', licenses: [{ expression: '(GPL-3.0-only OR Apache-2.0)' }] },
    { name: 'c', licenses: [{ expression: 'MIT AND ISC' }] },
  )
  expect(licenseViolations(sbom)).toEqual([])
})

test('another licence, or no licence, needs a decision', () => {
  const sbom = sbomOf(
    { name: 'copyleft', licenses: [{ license: { id: 'GPL-3.0-only' } }] },
    { name: 'both', licenses: [{ expression: 'MIT AND GPL-3.0-only' }] },
    { name: 'nothing', group: '@scope' },
  )
  expect(licenseViolations(sbom)).toEqual([
    'copyleft: GPL-3.0-only',
    'both: MIT AND GPL-3.0-only',
    '@scope/nothing: no licence',
  ])
})

test('the list has one row for each package, in order', () => {
  const sbom = sbomOf(
    { name: 'b', licenses: [{ license: { name: 'Own licence' } }] },
    { name: 'a', group: '@scope', licenses: [{ license: { id: 'MIT' } }] },
  )
  expect(licenseList(sbom)).toBe(
    '| package | version | licence |\n|---|---|---|\n| @scope/a |  | MIT |\n| b |  | Own licence |\n',
  )
})
