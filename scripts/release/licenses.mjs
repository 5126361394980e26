/**
 * Licences that ask for no more than their text and a notice. A package with another one needs a
 * decision: a new entry here, or no such dependency.
 */
const accepted = [
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'Python-2.0',
  'Unlicense',
]

/**
 * Packages with another licence, and the reason to accept it.
 * @type {Readonly<Record<string, string>>}
 */
const exceptions = {
  lightningcss: 'MPL-2.0, for files of its own; a program of the build, in no build of an app',
  '@img/sharp-libvips': 'LGPL-3.0-or-later, a library that sharp links; an app may replace it',
  '@img/sharp-wasm32': 'LGPL-3.0-or-later inside, as above',
  '@img/sharp-win32': 'LGPL-3.0-or-later inside, as above',
}

/**
 * @typedef {{ license?: { id?: string, name?: string }, expression?: string }} LicenseChoice as
 *   CycloneDX writes it
 * @typedef {{ name: string, group?: string, version?: string, licenses?: readonly LicenseChoice[] }} Component
 * @typedef {{ bomFormat: string, components: readonly Component[] }} Sbom
 */

/**
 * The packages of a bill of materials with a licence that nobody has accepted.
 * @param {Sbom} sbom
 */
export function licenseViolations({ components }) {
  return components.flatMap((component) => {
    const license = licenseOf(component)
    if (isAccepted(license)) return []
    const reason = Object.keys(exceptions).find((name) => fullName(component).startsWith(name))
    return reason === undefined ? [`${fullName(component)}: ${license || 'no licence'}`] : []
  })
}

/**
 * The list of licences as Markdown, one row for each package.
 * @param {Sbom} sbom
 */
export function licenseList({ components }) {
  const rows = components.map(
    (component) =>
      `| ${fullName(component)} | ${component.version ?? ''} | ${licenseOf(component)} |`,
  )
  return ['| package | version | licence |', '|---|---|---|', ...rows.sort(), ''].join('\n')
}

/** @param {Component} component */
function fullName({ group, name }) {
  return group ? `${group}/${name}` : name
}

/** @param {Component} component */
function licenseOf({ licenses = [] }) {
  return licenses
    .map(({ license, expression }) => expression ?? license?.id ?? license?.name ?? '')
    .join(' AND ')
}

/** Of alternatives one is enough; of licences that all hold, each one counts. @param {string} license */
function isAccepted(license) {
  const plain = license.replaceAll(/[()]/g, '')
  return plain
    .split(' OR ')
    .some((choice) => choice.split(' AND ').every((name) => accepted.includes(name.trim())))
}
