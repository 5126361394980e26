/** File that holds the contract, in the app's root. */
export const contractName = 'contract.txt'

/**
 * The personas of an app, and what each part of the app gives them. Names and values contain no paths of files, so that moving files doesn't
 * change the contract.
 */
export type Contract = {
  readonly personas: readonly string[]
  readonly entries: readonly ContractEntry[]
}

export const entryKinds = [
  'action',
  'component',
  'endpoint',
  'file',
  'handler',
  'not proven',
  'page',
  'preview',
  'screen',
] as const

export type EntryKind = (typeof entryKinds)[number]

/** A page, an action or another part of the app, with its properties in the file's order. */
export type ContractEntry = {
  readonly kind: EntryKind
  /** URL pattern, or the name of an action or component. Two actions can have the same name. */
  readonly name: string
  readonly properties: Readonly<Record<string, string>>
}

const head = `# What this app lets whom do. Written by \`waymark contract\`.
# \`waymark contract --check\` compares the app with this file, and \`--accept\` updates it.
`

const personasKey = 'personas: '

/** Writes a contract as sorted lines: an entry's name, then its indented properties. */
export function formatContract({ personas, entries }: Contract): string {
  const blocks = entries.map(formatEntry).sort(compareText)
  return [`${head}\n${personasKey}${personas.join(', ')}\n`, ...blocks].join('\n')
}

function formatEntry({ kind, name, properties }: ContractEntry): string {
  const lines = Object.entries(properties).map(([key, value]) => `  ${key}: ${oneLine(value)}\n`)
  return `${titleOf({ kind, name })}\n${lines.sort(compareText).join('')}`
}

export function titleOf({ kind, name }: Pick<ContractEntry, 'kind' | 'name'>): string {
  return name === '' ? kind : `${kind} ${oneLine(name)}`
}

/**
 * Reads what `formatContract` has written.
 * @throws Error with the number of a line that isn't part of a contract
 */
export function parseContract(text: string): Contract {
  let personas: readonly string[] = []
  const entries: { kind: EntryKind; name: string; properties: Record<string, string> }[] = []
  for (const [at, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === '' || line.startsWith('#')) continue
    if (line.startsWith(personasKey)) {
      personas = line.slice(personasKey.length).split(', ')
      continue
    }
    const [, key, value] = /^ {2}(\S.*?): (.*)$/.exec(line) ?? []
    const entry = entries.at(-1)
    if (key !== undefined && value !== undefined && entry) {
      entry.properties[key] = value
      continue
    }
    const kind = entryKinds.find((each) => line === each || line.startsWith(`${each} `))
    if (kind === undefined) throw new Error(`Line ${at + 1} isn't part of a contract: ${line}`)
    entries.push({ kind, name: line.slice(kind.length + 1), properties: {} })
  }
  return { personas, entries }
}

function oneLine(text: string): string {
  return text.replaceAll(/[\r\n]+/g, ' ')
}

/** Compares by code points, so that the order doesn't depend on the machine's language. */
function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
