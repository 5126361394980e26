import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { normalizePath } from 'vite'
import { checkOption, frameworkError } from '../../shared/errors.ts'

/** One build of the browser's code. */
export type ClientVariant = {
  /** Name of the variant, such as `de`: letters, digits and hyphens. */
  readonly id: string
  /**
   * Names and the expressions that replace them in this variant's code, as in Vite's option
   * `define`. In the server's code and in development, these names are `undefined`.
   */
  readonly define: Readonly<Record<string, unknown>>
}

/** Variants of the browser's code, of which each page uses one. */
export type ClientVariants<Choose> = {
  /** The variants. Each one is a build, so each adds to the time and the size of a build. */
  readonly builds: readonly ClientVariant[]
  /** Module with a `ChooseVariant`, a function that returns the id of a page's variant. */
  readonly choose: Choose
}

export type ResolvedVariants = {
  readonly builds: readonly [ClientVariant, ...ClientVariant[]]
  readonly choose: ModuleName
}

/** Absolute path of a module, and the name of one of its exports. */
type ModuleName = { readonly file: string; readonly name: string }

/** An export of a package's module. */
type PackageModule = { readonly module: URL; readonly name: string }

type PackageVariants = {
  readonly name: string
  readonly variants?: ClientVariants<PackageModule>
}

const appExport = 'chooseVariant'

/**
 * Finds the variants of an app, which come from its options or from a package.
 *
 * @param own the option `variants` of `waymark()`
 * @returns `null` if the browser's code is built once
 * @throws `OPTION_VALUE`, `PACKAGE_HOOK_CONFLICT`
 */
export function resolveVariants(
  own: ClientVariants<string> | undefined,
  { packages, root }: { readonly packages: readonly PackageVariants[]; readonly root: string },
): ResolvedVariants | null {
  const listed = packages.flatMap(({ name, variants }) =>
    variants ? [{ owner: name, builds: variants.builds, choose: moduleOf(variants.choose) }] : [],
  )
  if (own) {
    const { builds, choose } = own
    checkOption(typeof choose === 'string', 'variants.choose', choose, 'use the path of a module')
    const file = normalizePath(path.resolve(root, choose))
    listed.unshift({ owner: 'waymark()', builds, choose: { file, name: appExport } })
  }
  const [first, second] = listed
  if (!first) return null
  if (second) {
    const names = [first.owner, second.owner]
    throw frameworkError('PACKAGE_HOOK_CONFLICT', { hook: 'variants', names })
  }
  const [main, ...others] = first.builds
  const rule = 'list at least one variant, each with an id and define'
  if (!main) throw frameworkError('OPTION_VALUE', { option: 'variants.builds', value: '[]', rule })
  checkIds(first.builds)
  return { builds: [main, ...others], choose: first.choose }
}

function checkIds(builds: readonly ClientVariant[]): void {
  const ids = new Set<string>()
  for (const { id } of builds) {
    const isId = typeof id === 'string' && /^[\w-]{1,32}$/.test(id)
    const rule = 'use letters, digits, - and _, at most 32 of them'
    checkOption(isId, 'variants.builds[].id', JSON.stringify(id), rule)
    checkOption(!ids.has(id), 'variants.builds[].id', JSON.stringify(id), 'give each its own id')
    ids.add(id)
  }
}

function moduleOf({ module, name }: PackageModule): ModuleName {
  return { file: normalizePath(fileURLToPath(module)), name }
}
