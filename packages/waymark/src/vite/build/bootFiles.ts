/** What is looked at of the client's bundle. */
export type BootOutput =
  | { readonly type: 'asset' }
  | {
      readonly type: 'chunk'
      readonly fileName: string
      readonly name: string
      readonly isEntry: boolean
      readonly facadeModuleId: string | null
      readonly imports: readonly string[]
      readonly dynamicImports: readonly string[]
    }

type Chunk = Extract<BootOutput, { type: 'chunk' }>

// plugin-rsc's modules: the client components of the app, which each page loads for itself.
const referenceModule = '\0virtual:vite-rsc/'

/**
 * Lists the scripts that every page loads: the entry, the parts that it loads by itself, and what
 * these import.
 * @returns names of files in the bundle
 */
export function listBootFiles(bundle: Readonly<Record<string, BootOutput>>): string[] {
  const chunkOf = (name: string): Chunk | null => {
    const output = bundle[name]
    return output?.type === 'chunk' ? output : null
  }
  const files = new Set<string>()
  const visit = (chunk: Chunk): void => {
    if (files.has(chunk.fileName)) return
    files.add(chunk.fileName)
    for (const name of chunk.imports) {
      const imported = chunkOf(name)
      if (imported) visit(imported)
    }
  }
  const entry = Object.values(bundle).find(
    (output): output is Chunk =>
      output.type === 'chunk' && output.isEntry && output.name === 'index',
  )
  if (!entry) return []
  visit(entry)
  for (const file of [...files]) {
    for (const name of chunkOf(file)?.dynamicImports ?? []) {
      const part = chunkOf(name)
      if (part && !part.facadeModuleId?.startsWith(referenceModule)) visit(part)
    }
  }
  return [...files]
}
