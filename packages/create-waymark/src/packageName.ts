import { builtinModules } from 'node:module'

/** Why a name can't be that of a package, and what to do. */
export type NameProblem = { readonly message: string; readonly hint: string }

const longest = 214

/**
 * Checks the name of a new package, without a scope.
 * @param taken names of packages it will depend on
 * @returns `null` when npm accepts it
 * @see https://docs.npmjs.com/cli/configuring-npm/package-json#name
 */
export function checkPackageName(name: string, taken: readonly string[] = []): NameProblem | null {
  if (name.length > longest) {
    return {
      message: `A name of ${name.length} characters is too long for a package.`,
      hint: `Choose one of at most ${longest}.`,
    }
  }
  if (!/^[a-z0-9][a-z0-9._-]*$/.test(name)) {
    return {
      message: `“${name}” can't be the name of a package: npm takes small letters, digits, - . and _, beginning with a letter or a digit.`,
      hint: `Try ${toPackageName(name)}.`,
    }
  }
  const why = reasonItIsTaken(name, taken)
  return why === null ? null : { message: `“${name}” is ${why}.`, hint: `Try ${name}-app.` }
}

/** The nearest name that npm accepts. */
export function toPackageName(text: string): string {
  const name = text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{Mark}/gu, '')
    .replaceAll(/[^a-z0-9._-]+/g, '-')
    .replace(/^[^a-z0-9]+/, '')
    .replace(/-+$/, '')
    .slice(0, longest)
  return name || 'my-app'
}

function reasonItIsTaken(name: string, taken: readonly string[]): string | null {
  if (name === 'node_modules' || name === 'favicon.ico') return 'a name that npm keeps for itself'
  if (builtinModules.includes(name)) return 'a module of Node'
  return taken.includes(name) ? 'a package that the app depends on' : null
}
