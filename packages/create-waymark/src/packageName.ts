import { builtinModules } from 'node:module'

/** Why a name is not valid for a package, and what to do. */
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
      message: `A package name can't have ${name.length} characters.`,
      hint: `Choose one with at most ${longest}.`,
    }
  }
  if (!/^[a-z0-9][a-z0-9._-]*$/.test(name)) {
    return {
      message: `“${name}” is not a valid package name: use lowercase letters, digits, - . and _, with a letter or digit first.`,
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
  if (name === 'node_modules' || name === 'favicon.ico') return 'reserved by npm'
  if (builtinModules.includes(name)) return 'a module of Node'
  return taken.includes(name) ? 'a package that the app depends on' : null
}
