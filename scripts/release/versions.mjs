/**
 * @typedef {Readonly<Record<string, string>>} Versions new versions, by the name of the package
 * @typedef {{ readonly name?: string, readonly version?: string, readonly dependencies?: Versions,
 * readonly devDependencies?: Versions, readonly peerDependencies?: Versions, }} Manifest
 */

const dependencyFields = /** @type {const} */ ([
  'dependencies',
  'devDependencies',
  'peerDependencies',
])

/**
 * Returns the new versions of all packages. For `@waymark/next`, only the patch version is raised:
 * the package is installed as a replacement for `next`, and other packages infer from its version
 * which names it exports.
 * @param {readonly Manifest[]} manifests
 * @param {string} version version of the release
 * @returns {Versions}
 */
export function versionsOfRelease(manifests, version) {
  const coreVersion = manifests.find(({ name }) => name === 'waymark')?.version
  return Object.fromEntries(
    manifests.map((manifest) => {
      const { name = '', version: current = '' } = manifest
      if (name !== '@waymark/next') return [name, version]
      return [name, coreVersion === version ? current : nextPatch(current)]
    }),
  )
}

/** @param {string} version */
function nextPatch(version) {
  const [major, minor, patch] = version.split('.')
  return `${major}.${minor}.${Number(patch) + 1}`
}

/**
 * Returns the folders of all workspaces. The list includes the site and the examples, because they
 * also depend on versions of our packages.
 * @param {{ packages: Readonly<Record<string, unknown>> }} lock the lock file
 */
export function workspaceFolders({ packages }) {
  return Object.keys(packages).filter(
    (path) => path !== '' && !path.split('/').includes('node_modules'),
  )
}

/**
 * Returns a manifest in which the version of the package and the ranges for our packages are new. A
 * range keeps its `^`.
 * @template {Manifest} M
 * @param {M} manifest
 * @param {Versions} versions
 * @returns {M}
 */
export function withVersions(manifest, versions) {
  const version = versions[manifest.name ?? '']
  const ranges = dependencyFields.flatMap((field) => {
    const current = manifest[field]
    return current === undefined ? [] : [[field, rangesAt(current, versions)]]
  })
  return {
    ...manifest,
    ...(version === undefined ? {} : { version }),
    ...Object.fromEntries(ranges),
  }
}

/** @param {Versions} ranges @param {Versions} versions */
function rangesAt(ranges, versions) {
  return Object.fromEntries(
    Object.entries(ranges).map(([name, range]) => {
      const version = versions[name]
      // Keep a range such as `*` or `file:…`, which doesn't contain a version.
      const namesVersion = /^\^?\d/.test(range)
      return [name, version && namesVersion ? range.replace(/\d.*$/, version) : range]
    }),
  )
}
