import type { Plugin } from 'vite'

/** Warnings about code that the author of an app can't change if a package contains the code. */
const kinds: Readonly<Record<string, string>> = {
  EVAL: 'eval()',
  MODULE_LEVEL_DIRECTIVE: 'directives without effect',
}

/**
 * Collects a build's warnings about code in packages, so that it prints one line instead of several
 * lines for each file.
 */
export function createPackageWarnings(): {
  readonly plugin: Plugin
  /** Returns the line, or `null` without warnings. */
  readonly summary: () => string | null
} {
  const packages = new Map<string, Set<string>>()
  const plugin: Plugin = {
    name: 'waymark:package-warnings',
    apply: 'build',
    onLog(level, { code = '', id, loc, message }) {
      const kind = kinds[code]
      const name = packageOf(id ?? loc?.file ?? '')
      // plugin-rsc reads these directives, and removes the warnings itself.
      if (/["']use (?:client|server)["']/.test(message)) return null
      if (level !== 'warn' || kind === undefined || name === null) return null
      packages.set(kind, (packages.get(kind) ?? new Set()).add(name))
      return false
    },
  }
  const summary = () => {
    const lists = [...packages]
      .map(([kind, names]) => `${kind} (${[...names].sort().join(', ')})`)
      .sort()
    return lists.length > 0 ? `Packages contain ${lists.join(' and ')}.` : null
  }
  return { plugin, summary }
}

/** @returns the name of the package that contains a file; `null` for a file of the app */
function packageOf(file: string): string | null {
  const [, name] = /.*[\\/]node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)/.exec(file) ?? []
  return name?.replace('\\', '/') ?? null
}
