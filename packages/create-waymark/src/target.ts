import { readdirSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { basename, resolve } from 'node:path'

/** Folder for a new app, or the reason why it can't be used. */
export type Target =
  | {
      readonly kind: 'usable'
      /** Absolute path. The folder may not exist yet. */
      readonly folder: string
      /** Name of the app's package. */
      readonly name: string
    }
  | ({ readonly kind: 'refused' } & NameProblem)

// Files that Git, editors and desktops create. A folder that contains nothing else counts as empty.
const ignorable = new Set(['.git', '.idea', '.vscode', '.DS_Store', 'Thumbs.db'])

/**
 * Checks that a folder is new or empty, and that npm accepts its name.
 * @param typedFolder relative to the working folder, as the user typed it; `.` is the working folder
 * @param reservedNames names that the app's package can't have
 */
export function checkTarget(
  typedFolder: string,
  workingFolder: string,
  reservedNames: readonly string[],
): Target {
  const folder = resolve(workingFolder, typedFolder)
  const isHere = folder === resolve(workingFolder)
  const problem = isHere ? null : checkPackageName(basename(folder), reservedNames)
  const refused = problem ?? checkEmpty(isHere ? 'This folder' : typedFolder, folder)
  if (refused) return { kind: 'refused', ...refused }
  return {
    kind: 'usable',
    folder,
    name: isHere ? nameOfFolder(folder, reservedNames) : basename(folder),
  }
}

// Derives a valid package name from the working directory's name, because npm may not accept the
// name itself.
function nameOfFolder(folder: string, reservedNames: readonly string[]): string {
  const name = toPackageName(basename(folder))
  return checkPackageName(name, reservedNames) ? `${name}-app` : name
}

function checkEmpty(displayName: string, folder: string): NameProblem | null {
  const entries = entriesOf(folder)
  if (entries === 'file')
    return { message: `${displayName} is a file.`, hint: 'Choose another name.' }
  if (entries === 'unreadable') {
    return {
      message: `${displayName} can't be read.`,
      hint: 'Choose another name, or change the permissions.',
    }
  }
  const names = entries.filter((name) => !ignorable.has(name))
  if (names.length === 0) return null
  return {
    message: `${displayName} is not empty: it contains ${listed(names)}.`,
    hint: 'Choose another name, or empty the folder first.',
  }
}

function entriesOf(folder: string): string[] | 'file' | 'unreadable' {
  try {
    return readdirSync(folder).sort()
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return []
    return code === 'ENOTDIR' ? 'file' : 'unreadable'
  }
}

function listed(names: readonly string[]): string {
  const firstNames = names.slice(0, 3).join(', ')
  return names.length > 3 ? `${firstNames} and ${names.length - 3} more` : firstNames
}

/** Reason why a name isn't valid for a package, and a hint about what to do. */
export type NameProblem = { readonly message: string; readonly hint: string }

const longest = 214

/**
 * Checks the name of a new package, without a scope.
 * @param reservedNames names of packages that the app depends on
 * @returns `null` if npm accepts the name
 * @see https://docs.npmjs.com/cli/configuring-npm/package-json#name
 */
export function checkPackageName(
  name: string,
  reservedNames: readonly string[] = [],
): NameProblem | null {
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
  const why = reasonForReserved(name, reservedNames)
  return why === null ? null : { message: `“${name}” is ${why}.`, hint: `Try ${name}-app.` }
}

/** Returns the closest name that npm accepts. */
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

function reasonForReserved(name: string, reservedNames: readonly string[]): string | null {
  if (name === 'node_modules' || name === 'favicon.ico') return 'reserved by npm'
  if (builtinModules.includes(name)) return 'a module of Node'
  return reservedNames.includes(name) ? 'a package that the app depends on' : null
}
