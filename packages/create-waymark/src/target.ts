import { readdirSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { checkPackageName, type NameProblem, toPackageName } from './packageName.ts'

/** Where an app is to be made. */
export type Target =
  | {
      readonly kind: 'usable'
      /** Absolute; it need not exist. */
      readonly folder: string
      /** Name of the package. */
      readonly name: string
    }
  | ({ readonly kind: 'refused' } & NameProblem)

// What a new repository, an editor or a desktop leaves in a folder that is empty to a person.
const ignorable = new Set(['.git', '.idea', '.vscode', '.DS_Store', 'Thumbs.db'])

/**
 * Checks whether an app can be made in a folder: it is new or empty, and named as a package can be.
 * @param given as typed, from the working folder; `.` is that folder itself
 * @param taken names that the app's package can't have
 */
export function checkTarget(
  given: string,
  workingFolder: string,
  taken: readonly string[],
): Target {
  const folder = resolve(workingFolder, given)
  const isHere = folder === resolve(workingFolder)
  const problem = isHere ? null : checkPackageName(basename(folder), taken)
  const refused = problem ?? checkEmpty(isHere ? 'This folder' : given, folder)
  if (refused) return { kind: 'refused', ...refused }
  return { kind: 'usable', folder, name: isHere ? nameOfFolder(folder, taken) : basename(folder) }
}

// The folder one stands in was named before, and need not be renamed for npm's sake.
function nameOfFolder(folder: string, taken: readonly string[]): string {
  const name = toPackageName(basename(folder))
  return checkPackageName(name, taken) ? `${name}-app` : name
}

function checkEmpty(shown: string, folder: string): NameProblem | null {
  const entries = entriesOf(folder)
  if (entries === 'file') return { message: `${shown} is a file.`, hint: 'Choose another name.' }
  if (entries === 'unreadable') {
    return {
      message: `${shown} can't be read.`,
      hint: 'Choose another name, or change its permissions.',
    }
  }
  const names = entries.filter((name) => !ignorable.has(name))
  if (names.length === 0) return null
  return {
    message: `${shown} is not empty: it holds ${listed(names)}.`,
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
  const shown = names.slice(0, 3).join(', ')
  return names.length > 3 ? `${shown} and ${names.length - 3} more` : shown
}
