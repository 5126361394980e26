import { isAtLeast, type Overrides, overrideNext, raiseOverrides } from './overrides.ts'
import { packageNotes, programs } from './packageNotes.ts'
import type { Finding, Names, PackageManager, Versions } from './plan.ts'
import { moveScript } from './scripts.ts'
import type { Catalogs } from './workspace.ts'

/** The parts of `package.json` that the `move` command reads. */
export type Manifest = Overrides & {
  readonly scripts?: Names
  readonly dependencies?: Names
  readonly devDependencies?: Names
}

/**
 * Rewrites `package.json`: its scripts, and the packages that the app needs.
 * @param options `added` has packages to add in addition to Waymark and Vite, with their versions.
 * `manager` is `null` if the overrides are in a different file: for a member of a workspace, and for
 * pnpm 11.
 * `catalogs` has the ranges of the workspace's catalogs. `olderVitePeers` has packages whose peer
 * dependency is an older Vite.
 * @returns the new text, with the same order and indentation. `react` has the React versions that
 * the move changes
 * @throws SyntaxError if the file is not valid JSON
 */
export function moveManifest(
  text: string,
  versions: Versions,
  {
    added,
    manager,
    catalogs,
    olderVitePeers,
  }: {
    readonly added: Names
    readonly manager: PackageManager | null
    readonly catalogs: Catalogs
    readonly olderVitePeers: readonly string[]
  },
): { readonly text: string; readonly findings: readonly Finding[]; readonly react: Names } {
  const manifest = JSON.parse(text) as Manifest
  const findings: Finding[] = []
  const find = (near: string, finding: string) =>
    findings.push({ kind: 'change', file: 'package.json', line: lineOf(text, near), text: finding })
  const all = { ...manifest.dependencies, ...manifest.devDependencies }
  const before = Object.keys(all).flatMap((name) => programs[name] ?? [])
  const scripts = Object.entries(manifest.scripts ?? {}).map(([name, command]) => {
    if (/\bnext (?:lint|export|info|telemetry)\b/.test(command)) {
      find(
        `"${name}"`,
        `the script ${name} runs a command of next that Waymark doesn't have: ${command}`,
      )
    }
    return [name, moveScript(command, before)]
  })
  // next-sitemap reads files that only Next's build writes, so its script would make the build
  // fail.
  const remainingScripts = scripts.filter(
    ([, command = '']) => !/^next-sitemap\b[^&|;]*$/.test(command),
  )
  findings.push(...packageNotes(all, (part) => lineOf(text, part)))
  const react = newerReact(manifest, versions.react, catalogs)
  if (react.catalogRange !== null) {
    findings.push({
      kind: 'differs',
      file: 'package.json',
      line: lineOf(text, '"react"'),
      text: `react is ${versions.react} in this app now. The workspace's catalog keeps ${react.catalogRange} for the other members.`,
    })
  }
  const dependencies: Names = {
    ...manifest.dependencies,
    // create-next-app 13 added the types to the dependencies.
    ...newerTypes(manifest.dependencies ?? {}),
    ...added,
    ...react.changed,
    next: versions.next,
    vite: versions.vite,
    waymark: versions.waymark,
  }
  const developed = Object.entries(manifest.devDependencies ?? {}).filter(
    ([name]) => !(name in dependencies),
  )
  const devDependencies = { ...Object.fromEntries(developed) }
  Object.assign(devDependencies, newerTypes(devDependencies))
  const isChanged = ([name, version]: [string, string]) => all[name] !== version
  const changed = Object.fromEntries(
    Object.entries({ ...dependencies, ...devDependencies }).filter(isChanged),
  )
  const raised = { ...manifest, ...raiseOverrides(manifest, changed) }
  // npm refuses packages whose peer dependency is an older React or Vite.
  const forced = {
    ...('react' in react.changed && { react: '$react', 'react-dom': '$react-dom' }),
    ...Object.fromEntries(olderVitePeers.map((name) => [name, { vite: '$vite' }])),
  }
  const isForced = manager === 'npm' && Object.keys(forced).length > 0
  const overriding = isForced
    ? { ...raised, overrides: { ...forced, ...raised.overrides } }
    : raised
  const moved = {
    ...raised,
    ...(manifest.scripts ? { scripts: Object.fromEntries(remainingScripts) } : {}),
    dependencies: sortedLike(manifest.dependencies ?? {}, dependencies),
    ...(manager && overrideNext(overriding, manager, manager === 'yarn' ? versions.next : '$next')),
    ...(manifest.devDependencies ? { devDependencies } : {}),
  }
  const indent = /^(\s+)"/m.exec(text)?.[1]?.replace(/^\n+/, '') ?? '  '
  return { text: `${JSON.stringify(moved, null, indent)}\n`, findings, react: react.changed }
}

/**
 * Returns the React versions to install. Waymark needs React 19.3. Newer versions remain, as do
 * specifiers such as `canary` or `file:…`. A range without a minor version is replaced, because the
 * lock file may resolve it to an older version. A catalog stays as it is, because other members of
 * the workspace, such as a React Native app, may need its version.
 */
function newerReact(
  { dependencies, devDependencies }: Manifest,
  wanted: string,
  catalogs: Catalogs,
): { readonly changed: Names; readonly catalogRange: string | null } {
  const specifier = dependencies?.react ?? devDependencies?.react ?? ''
  const catalogRange = catalogs.react?.[specifier] ?? null
  const range = catalogRange ?? specifier
  const isNamed = /canary|experimental|^(?:file|git|link|npm|workspace|catalog):/.test(range)
  if (isNamed || isAtLeast(range, wanted)) return { changed: {}, catalogRange: null }
  return { changed: { react: wanted, 'react-dom': wanted }, catalogRange }
}

/**
 * Sorts dependencies by name if they were sorted before the move, because linters of workspaces
 * check the order.
 */
function sortedLike(before: Names, after: Names): Names {
  const orders = [
    (a: string, b: string) => (a < b ? -1 : 1),
    (a: string, b: string) => a.localeCompare(b, 'en'),
  ]
  const names = Object.keys(before)
  const order = orders.find((each) => names.toSorted(each).join() === names.join())
  if (order === undefined) return after
  return Object.fromEntries(Object.entries(after).sort(([a], [b]) => order(a, b)))
}

/** Updates the types for React and Node. Vite's types need a recent Node's types. */
function newerTypes(developed: Names): Names {
  const react = ['@types/react', '@types/react-dom'].filter((name) =>
    /^[\^~]?1[0-8]\b/.test(developed[name] ?? ''),
  )
  return { ...newerNodeTypes(developed), ...Object.fromEntries(react.map((name) => [name, '^19'])) }
}

function newerNodeTypes(developed: Names): Names {
  const [, range, major, minor] =
    /^([\^>]?)=?(\d+)\.(\d+)/.exec(developed['@types/node'] ?? '') ?? []
  if (major === undefined) return {}
  const firstMinor = { 20: 19, 22: 12 }[Number(major)]
  const isOld =
    firstMinor === undefined ? Number(major) < 23 : range === '' && Number(minor) < firstMinor
  return isOld ? { '@types/node': '^22.12.0' } : {}
}

function lineOf(text: string, part: string): number {
  return text.slice(0, Math.max(0, text.indexOf(part))).split('\n').length
}
