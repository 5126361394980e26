import { isBuiltin } from 'node:module'

/** What is looked at of a bundle's output. */
export type ImportingOutput =
  | { readonly type: 'asset' }
  | {
      readonly type: 'chunk'
      readonly imports: readonly string[]
      readonly dynamicImports: readonly string[]
    }

/**
 * Finds the packages that a server bundle imports instead of holding them: they have to be
 * installed where it runs.
 * @returns sorted, each once
 */
export function findExternals(bundle: Readonly<Record<string, ImportingOutput>>): string[] {
  const found = new Set<string>()
  for (const output of Object.values(bundle)) {
    if (output.type !== 'chunk') continue
    for (const name of [...output.imports, ...output.dynamicImports]) {
      // Virtual modules are files beside the bundle, once they are written.
      const isOwn = name in bundle || /^(?:\.{0,2}\/|virtual:)/.test(name)
      if (!isOwn && !isBuiltin(name)) found.add(name)
    }
  }
  return [...found].sort()
}
