import { coreRoot } from './layers.ts'

/** The pages that describe the architecture. */
export const architecturePages = ['ARCHITECTURE.md', 'docs/where-to-change.md'] as const

/**
 * Together, the architecture pages name every folder. None of them names a path that is gone.
 * @param pages texts by path; `null` for a page that does not exist
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
    .map((path) => `${name}: ${path} is gone`)
}

/** The paths that a page names as code: with a folder, and an ending or a last slash. */
function pathsIn(page: string): string[] {
  return [...page.matchAll(/`((?:[\w.-]+\/)+(?:[\w.-]+\.(?:tsx?|mjs|md))?)`/g)].flatMap(
    ([, path]) => path ?? [],
  )
}

/** True if the repository has a file or folder, by its path from the root or from the core's folder. */
function isThere(path: string, paths: readonly string[]): boolean {
  return [path, coreRoot + path].some((named) =>
    paths.some((file) => (named.endsWith('/') ? file.startsWith(named) : file === named)),
  )
}

/**
 * Decisions name no file of a layer, of a test or of a script that is gone.
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
      .map((path) => `${name}: ${path} is gone`),
  )
}

/**
 * Every package that ours depend on has a page among the decisions.
 * @param manifests of our packages
 * @param pages texts of the decisions
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
 * No package runs code when it is installed: npm warns about such scripts, and will block them.
 * @param packages the `packages` of the lock file
 */
export function installScriptViolations(
  packages: Readonly<Record<string, { hasInstallScript?: boolean; optional?: boolean }>>,
): string[] {
  return Object.entries(packages)
    .filter(([, { hasInstallScript, optional }]) => hasInstallScript && !optional)
    .map(([name]) => `package-lock.json: ${name} has an install script`)
}

/**
 * A page that says "`react-dom` 19.2 or later" or "Node 20.19 or later" names the oldest versions that
 * the manifest of the core allows.
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

/** The lowest version of a range such as `^19.2.0` or `>=20.19`. */
function lowestOf(range: string): string {
  return withPatch(range.replace(/^(?:\^|>=)/, ''))
}

function withPatch(version: string): string {
  const [major = '0', minor = '0', patch = '0'] = version.split('.')
  return `${major}.${minor}.${patch}`
}

/** Top-level folders, packages, and the layers of the framework; hidden folders are not meant. */
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
