import { coreRoot } from './layers.ts'

/** The pages that describe the architecture. */
export const architecturePages = ['ARCHITECTURE.md', 'docs/where-to-change.md'] as const

/**
 * Checks that the architecture pages together list every folder, and that each path on the pages
 * exists.
 * @param pages texts by path, with `null` for a page that does not exist
 * @param paths all files of the repository
 */
export function architecturePageViolations(
  pages: Readonly<Record<string, string | null>>,
  paths: readonly string[],
): string[] {
  const texts = Object.values(pages).join('\n')
  const unnamed = foldersToName(paths).filter((folder) => !texts.includes(`${folder}/`))
  return [
    ...unnamed.map((folder) => `no page names the folder ${folder}/`),
    ...Object.entries(pages).flatMap(([name, page]) =>
      page === null ? `${name} is missing` : missingPaths(name, page, paths),
    ),
  ]
}

function missingPaths(name: string, page: string, paths: readonly string[]): string[] {
  return pathsIn(page)
    .filter((path) => !isThere(path, paths))
    .map((path) => `${name}: ${path} does not exist`)
}

/**
 * Lists the paths that a page contains as code. Code counts as a path if it has a folder, and ends
 * with an extension or a slash.
 */
function pathsIn(page: string): string[] {
  return [...page.matchAll(/`((?:[\w.-]+\/)+(?:[\w.-]+\.(?:tsx?|mjs|md))?)`/g)].flatMap(
    ([, path]) => path ?? [],
  )
}

/**
 * True if a file or folder exists at a path, relative to the repository's root or to the core's
 * folder.
 */
function isThere(path: string, paths: readonly string[]): boolean {
  return [path, coreRoot + path].some((named) =>
    paths.some((file) => (named.endsWith('/') ? file.startsWith(named) : file === named)),
  )
}

/**
 * Finds paths in the decisions that refer to a file of a layer, a test or a script, but don't
 * exist.
 * @param pages texts by path
 */
export function decisionPathViolations(
  pages: Readonly<Record<string, string>>,
  paths: readonly string[],
): string[] {
  const folders = new Set(foldersToName(paths))
  return Object.entries(pages).flatMap(([name, page]) =>
    pathsIn(page)
      .filter((path) => folders.has(path.split('/')[0] ?? '') && !isThere(path, paths))
      .map((path) => `${name}: ${path} does not exist`),
  )
}

/**
 * Finds dependencies of our packages that no decision mentions.
 * @param manifests the manifests of our packages
 * @param pages the texts of the decisions
 */
export function decisionViolations(
  manifests: readonly { name: string; dependencies?: Record<string, string> }[],
  pages: readonly string[],
): string[] {
  return manifests.flatMap(({ name, dependencies = {} }) =>
    Object.keys(dependencies)
      .filter((dependency) => !pages.some((page) => page.includes(dependency)))
      .map((dependency) => `${name}: no page in docs/decisions names ${dependency}`),
  )
}

/**
 * Finds packages that run a script when they are installed, because npm warns about such scripts
 * and will block them.
 * @param packages the field `packages` of the lock file
 */
export function installScriptViolations(
  packages: Readonly<Record<string, { hasInstallScript?: boolean; optional?: boolean }>>,
): string[] {
  return Object.entries(packages)
    .filter(([, { hasInstallScript, optional }]) => hasInstallScript && !optional)
    .map(([name]) => `package-lock.json: ${name} has an install script`)
}

/**
 * Checks pages that say "`react-dom` 19.2 or later" or "Node 20.19 or later". The versions must be
 * the oldest that the core's manifest allows.
 * @param pages texts by path
 */
export function versionClaimViolations(
  pages: Readonly<Record<string, string>>,
  core: { readonly engines: { readonly node: string }; readonly peerDependencies: PeerReact },
): string[] {
  const oldest: Readonly<Record<string, string>> = {
    Node: core.engines.node,
    'react-dom': core.peerDependencies['react-dom'],
  }
  return Object.entries(pages).flatMap(([path, text]) =>
    [...text.matchAll(/\b(Node|react-dom)`? (\d[\d.]*) or later/g)].flatMap(
      ([, name = '', version = '']) =>
        lowestOf(oldest[name] ?? '') === withPatch(version)
          ? []
          : [`${path}: says ${name} ${version} or later; the core allows ${oldest[name]}`],
    ),
  )
}

type PeerReact = { readonly 'react-dom': string }

/** Returns the lowest version of a range such as `^19.2.0` or `>=20.19`. */
function lowestOf(range: string): string {
  return withPatch(range.replace(/^(?:\^|>=)/, ''))
}

function withPatch(version: string): string {
  const [major = '0', minor = '0', patch = '0'] = version.split('.')
  return `${major}.${minor}.${patch}`
}

/**
 * Lists the folders that the pages must mention: top-level folders, packages, and layers of the
 * framework. Hidden folders don't count.
 */
function foldersToName(paths: readonly string[]): string[] {
  const folders = paths.flatMap((path) => {
    const [top = '', second = ''] = path.split('/')
    if (!path.includes('/') || top.startsWith('.')) return []
    if (path.startsWith(coreRoot)) {
      const [layer = '', ...rest] = path.slice(coreRoot.length).split('/')
      return rest.length > 0 ? [layer] : []
    }
    return top === 'packages' ? [second] : [top]
  })
  return [...new Set(folders)]
}
