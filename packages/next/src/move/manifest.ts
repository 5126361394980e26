import { packageNotes, programs } from './packageNotes.ts'
import type { Finding, PackageManager, Versions } from './plan.ts'

type Names = Readonly<Record<string, string>>

/** The parts of `package.json` that the `move` command reads. */
export type Manifest = {
  readonly scripts?: Names
  readonly dependencies?: Names
  readonly devDependencies?: Names
  readonly overrides?: Readonly<Record<string, unknown>>
  readonly resolutions?: Names
  readonly pnpm?: { readonly overrides?: Names }
}

/**
 * Commands of `next` that `waymark` has, too, and the new names of their options. An empty name
 * removes the option.
 */
const commands = ['dev', 'build', 'start']
const options: Readonly<Record<string, string>> = {
  '-p': '--port',
  '-H': '--host',
  '--hostname': '--host',
  '--turbo': '',
  '--turbopack': '',
  '--webpack': '',
  '--experimental-https': '',
}

/**
 * Rewrites `package.json`: its scripts, and the packages that the app needs.
 * @param options `added`: packages to add in addition to Waymark and Vite, with their versions
 * @returns the new text, with the same order and indentation
 * @throws SyntaxError if the file is not valid JSON
 */
export function moveManifest(
  text: string,
  versions: Versions,
  { added, manager }: { readonly added: Names; readonly manager: PackageManager },
): { readonly text: string; readonly findings: readonly Finding[] } {
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
  // Remove the script of next-sitemap. It reads files that only a build of Next writes, so it would
  // make the build fail.
  const remainingScripts = scripts.filter(
    ([, command = '']) => !/^next-sitemap\b[^&|;]*$/.test(command),
  )
  findings.push(...packageNotes(Object.keys(all), (part) => lineOf(text, part)))
  const { next: _, ...developed } = manifest.devDependencies ?? {}
  const moved = {
    ...manifest,
    ...(manifest.scripts ? { scripts: Object.fromEntries(remainingScripts) } : {}),
    dependencies: {
      ...manifest.dependencies,
      ...added,
      ...newerReact(manifest, versions.react),
      next: versions.next,
      vite: versions.vite,
      waymark: versions.waymark,
    },
    ...forPeers(manifest, manager, versions.next),
    ...(manifest.devDependencies
      ? { devDependencies: { ...developed, ...newerTypes(developed) } }
      : {}),
  }
  const indent = /^(\s+)"/m.exec(text)?.[1]?.replace(/^\n+/, '') ?? '  '
  return { text: `${JSON.stringify(moved, null, indent)}\n`, findings }
}

/** @param before programs to run before a build and before the dev server */
function moveScript(command: string, before: readonly string[]): string {
  const moved = command.replace(/\bnext( +[^&|;]*)?(?=$|[&|;])/g, (whole, rest = '') => {
    const [name = 'dev', ...args] = rest.trim().split(/\s+/).filter(Boolean)
    if (!commands.includes(name)) return whole
    const movedArgs = args.map((each: string) => options[each] ?? each).filter(Boolean)
    return `${['waymark', name, ...movedArgs].join(' ')}${/\s$/.test(whole) ? ' ' : ''}`
  })
  if (!/\bwaymark (?:build|dev)\b/.test(moved)) return moved
  return [...before.filter((each) => !moved.includes(each)), moved].join(' && ')
}

/**
 * Returns the React versions to install. Waymark needs React 19.3. Newer versions stay, as do
 * specifiers that name a build, such as `canary` or `file:…`. A range without a minor version is
 * replaced, because the lock file may resolve it to an older version.
 */
function newerReact({ dependencies = {} }: Manifest, wanted: string): Names {
  const currentRange = dependencies.react ?? ''
  const [, major = 0, minor = 0] = /(\d+)(?:\.(\d+))?/.exec(currentRange) ?? []
  const isEnough = Number(major) > 19 || (Number(major) === 19 && Number(minor) >= 3)
  const isNamed = /canary|experimental|^(?:file|git|link|npm|workspace|catalog):/.test(currentRange)
  return isEnough || isNamed ? {} : { react: wanted, 'react-dom': wanted }
}

/**
 * Makes packages with a peer dependency on `next` accept this package. Each package manager has a
 * different key for overriding peer dependencies.
 */
function forPeers(manifest: Manifest, manager: PackageManager, next: string) {
  const { overrides, pnpm, resolutions } = manifest
  switch (manager) {
    case 'pnpm':
      return { pnpm: { ...pnpm, overrides: { ...pnpm?.overrides, next: '$next' } } }
    case 'yarn':
      return { resolutions: { ...resolutions, next } }
    default:
      return { overrides: { ...overrides, next: '$next' } }
  }
}

/** Updates the types of React and Node, because Vite's types need the types of a recent Node. */
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
