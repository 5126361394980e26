import path from 'node:path'
import type { Rolldown } from 'vite'

/** What is looked at of a bundle's chunk. */
export type StyledChunk = Pick<
  Rolldown.OutputChunk,
  'type' | 'fileName' | 'imports' | 'moduleIds'
> & {
  readonly viteMetadata?: { readonly importedCss: ReadonlySet<string> } | undefined
}

/** What finding stylesheets needs. */
export type StylesheetsOptions = {
  readonly bundle: Readonly<Record<string, StyledChunk | { readonly type: 'asset' }>>
  /** Route files, relative to the app folder. */
  readonly files: readonly string[]
  /** Absolute, with forward slashes. */
  readonly appDir: string
  /** Before every URL of the assets. */
  readonly base: string
  /** URLs of the stylesheets of the client components that a module imports. */
  readonly clientStylesOf: (moduleId: string) => readonly string[]
}

/**
 * Finds the stylesheets that route files bring along. In the `rsc` bundle, those of the modules
 * that a file imports come before its own, as they do when the modules run; those of its client
 * components follow. The latter would otherwise be linked when their code is loaded: too late for
 * a part that is streamed.
 * @returns URLs by file, for those that have any
 */
export function findStylesheets(options: StylesheetsOptions): Record<string, string[]> {
  const { bundle, files, appDir, base, clientStylesOf } = options
  const chunks = new Map<string, StyledChunk>()
  const chunkOf = new Map<string, StyledChunk>()
  for (const output of Object.values(bundle)) {
    if (output.type !== 'chunk') continue
    chunks.set(output.fileName, output)
    for (const id of output.moduleIds) chunkOf.set(id, output)
  }
  const found: Record<string, string[]> = {}
  for (const file of files) {
    const id = path.posix.join(appDir, file)
    const chunk = chunkOf.get(id)
    const own = chunk ? stylesOf(chunk, chunks).map((name) => base + name) : []
    const styles = [...new Set([...own, ...clientStylesOf(id)])]
    if (styles.length > 0) found[file] = styles
  }
  return found
}

function stylesOf(chunk: StyledChunk, chunks: ReadonlyMap<string, StyledChunk>): string[] {
  const visited = new Set<StyledChunk>()
  const styles = new Set<string>()
  const visit = (at: StyledChunk): void => {
    if (visited.has(at)) return
    visited.add(at)
    for (const name of at.imports) {
      const imported = chunks.get(name)
      if (imported) visit(imported)
    }
    for (const name of at.viteMetadata?.importedCss ?? []) styles.add(name)
  }
  visit(chunk)
  return [...styles]
}
