import { type PackageHint, packageHints, packageNotListed } from './packageHints.ts'
import type { DriverOptions, DriverPackage, RuntimePackages } from './runtimePackages.ts'

// Don't import Node modules in this file: hosts without a file system use it, too.

type Environment = DriverOptions['env']

/** Packages that provide stores. `isBuilt` is true if they come from a build. */
export type StorePackages = Pick<RuntimePackages, 'stores' | 'isBuilt'>

// Value of a store's variable on a server that runs without the store.
const noStore = 'none'

const hints: Readonly<Record<string, PackageHint>> = packageHints.stores

/**
 * @returns an environment variable that selects a store, even if the app doesn't list the store's
 * package
 */
export function findStoreVariable(env: Environment, { stores }: StorePackages): string | undefined {
  return [...Object.keys(stores), ...Object.keys(hints)].find((name) => {
    const value = env[name]?.trim()
    return value && value !== noStore
  })
}

/**
 * Lists the variables of the stores that an app's packages provide, if none of them is set. The app's
 * author has then most likely forgotten the variable.
 */
export function unsetStoreVariables(env: Environment, { stores }: StorePackages): string[] {
  const names = Object.keys(stores)
  return names.some((name) => env[name]?.trim()) ? [] : names
}

/**
 * Imports the package for the store that an environment variable selects.
 * @returns `null` if no variable selects a store
 * @throws `PACKAGE_NOT_LISTED`
 */
export async function loadStorePackage(
  env: Environment,
  packages: StorePackages,
): Promise<DriverPackage | null> {
  const variable = findStoreVariable(env, packages)
  if (variable === undefined) return null
  const load = packages.stores[variable]
  if (load) return load()
  const hint = hints[variable]
  if (hint) throw packageNotListed(variable, hint, packages)
  return null
}
