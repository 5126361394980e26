/**
 * Licences that require only their text and a notice. A package with a different licence needs a
 * decision: add the licence to this list, or don't depend on the package.
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
 * Packages that are accepted although they have a different licence, each with the reason.
 * @type {Readonly<Record<string, string>>}
 */
const exceptions = {
  lightningcss:
    "MPL-2.0 for its own files; used only while building, and never part of an app's build",
  '@img/sharp-libvips':
    'LGPL-3.0-or-later; a library that sharp links, and that an app may replace',
  '@img/sharp-wasm32': 'contains LGPL-3.0-or-later, see above',
  '@img/sharp-win32': 'contains LGPL-3.0-or-later, see above',
}

/**
 * @typedef {{ license?: { id?: string, name?: string }, expression?: string }} LicenseChoice as
 *   CycloneDX writes it
 * @typedef {{ name: string, group?: string, version?: string, licenses?: readonly LicenseChoice[] }} Component
 * @typedef {{ bomFormat: string, components: readonly Component[] }} Sbom
 */

/**
 * Lists the packages of a bill of materials that have no accepted licence.
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
 * Writes the list of licences as Markdown, with one row for each package.
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

/**
 * One accepted licence is enough in an `OR` expression. In an `AND` expression, all licences must
 * be accepted.
 * @param {string} license
 */
function isAccepted(license) {
  const plain = license.replaceAll(/[()]/g, '')
  return plain
    .split(' OR ')
    .some((choice) => choice.split(' AND ').every((name) => accepted.includes(name.trim())))
}
