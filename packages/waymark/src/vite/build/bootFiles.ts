/** What is looked at of the client's bundle. */
export type BootOutput =
  | { readonly type: 'asset' }
  | {
      readonly type: 'chunk'
      readonly fileName: string
      readonly name: string
      readonly isEntry: boolean
      readonly moduleIds: readonly string[]
      readonly imports: readonly string[]
    }

type Chunk = Extract<BootOutput, { type: 'chunk' }>

/** Names of files in the client's bundle. */
export type BootFiles = {
  /** What every page loads. */
  readonly entry: readonly string[]
  /** What an interactive page loads at once beside it, and others when it is needed. */
  readonly app: readonly string[]
}

/** Lists the scripts that pages load whatever they show: the entry, and what it starts. */
export function listBootFiles(bundle: Readonly<Record<string, BootOutput>>): BootFiles {
  const chunks = Object.values(bundle).filter((output) => output.type === 'chunk')
  const index = chunks.find(({ isEntry, name }) => isEntry && name === 'index')
  const start = chunks.find(({ moduleIds }) =>
    moduleIds.some((id) => /\/waymark\/\w+\/client\/start\.\w+$/.test(id)),
  )
  const entry = withImports(index, bundle)
  return { entry, app: withImports(start, bundle).filter((name) => !entry.includes(name)) }
}

function withImports(
  chunk: Chunk | undefined,
  bundle: Readonly<Record<string, BootOutput>>,
): string[] {
  const files = new Set<string>()
  const visit = (at: BootOutput | undefined): void => {
    if (at?.type !== 'chunk' || files.has(at.fileName)) return
    files.add(at.fileName)
    for (const name of at.imports) visit(bundle[name])
  }
  visit(chunk)
  return [...files]
}
