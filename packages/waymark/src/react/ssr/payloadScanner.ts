import { type ByteChannel, joinPieces } from '../../http/stream.ts'

/** Reads, in a payload, what the page needs in the browser. */
export type PayloadScanner = ReturnType<typeof createPayloadScanner>

/**
 * Creates a scanner. Where it is in doubt, the page needs React.
 * @param passive components of the framework that do nothing until a navigation, as `file#name`
 */
export function createPayloadScanner(passive: ReadonlySet<string>) {
  const files = new Set<string>()
  /** How the payload refers to components of the app where it shows them as elements. */
  const elements: string[] = []
  let rest = ''
  let imports = 0
  let followed = 0

  function readImports(rows: string): void {
    for (let at = rows.indexOf(importTag); at !== -1; at = rows.indexOf(importTag, at + 1)) {
      imports += 1
      if (imports > maxImports) {
        scanner.isInteractive = true
        return
      }
      const reference = referenceAt(rows, at)
      if (reference === null) continue
      files.add(reference.file)
      if (isOfBundler(reference.file)) continue
      if (passive.has(`${reference.file}#${reference.name}`)) continue
      if (reference.id === undefined) scanner.isInteractive = true
      else elements.push(`"$L${reference.id}"`)
    }
  }

  const scanner = {
    files: files as ReadonlySet<string>,
    /** Whether the page shows a client component, a form of an action, or a part that failed. */
    isInteractive: false,
    /** @param text the next part of the payload, cut anywhere */
    read(text: string): void {
      const rows = rest + text
      // With the end of the row before it.
      rest = rows.slice(Math.max(0, rows.lastIndexOf('\n')))
      readImports(rows)
      scanner.isInteractive ||=
        elements.some((element) => rows.includes(element)) ||
        rows.includes(errorTag) ||
        rows.includes(actionMark) ||
        rows.includes(liveRow)
    },
    follow({ pieces }: Pick<ByteChannel, 'pieces'>): void {
      if (followed < pieces.length && !scanner.isInteractive) {
        scanner.read(joinPieces(pieces.slice(followed)).toString())
      }
      followed = pieces.length
    },
  }
  return scanner
}

/** A long text may name any number, and each is looked for in all of it. */
const maxImports = 1000

// No string of the app holds them: JSON escapes quotes. Long texts may cost a page its rest.
const importTag = ':I['
const errorTag = ':E{'
const actionMark = '"$h'
/** Of a page that is kept current. @see packages/live/src/shared/row.ts */
const liveRow = '\n7e000000:'

type Reference = {
  /** Of its row; unknown where a text of no fixed end stands before it. */
  readonly id: string | undefined
  readonly file: string
  readonly name: string
}

/** Parses a row as `1:I["file",[chunks],"name",1]`. */
function referenceAt(rows: string, at: number): Reference | null {
  const end = rows.indexOf('\n', at)
  if (end === -1) return null
  const id = /(?:^|\n)([0-9a-f]+)$/.exec(rows.slice(Math.max(0, at - 12), at))?.[1]
  try {
    const [file, , name] = JSON.parse(rows.slice(at + importTag.length - 1, end))
    return { id, file: fileOf(String(file), rows), name: String(name) }
  } catch {
    return null
  }
}

// In the dev server, names of files are rows of their own.
function fileOf(name: string, rows: string): string {
  const row = name.startsWith('$') ? rows.indexOf(`\n${name.slice(1)}:"`) : -1
  const file = row === -1 ? name : rows.slice(rows.indexOf('"', row) + 1, rows.indexOf('"\n', row))
  return file.split('$$cache=')[0] ?? ''
}

// What plugin-rsc adds in the dev server, for styles that are changed.
function isOfBundler(file: string): boolean {
  const prefix = '/@id/__x00__virtual:vite-rsc/'
  return file.startsWith(prefix) && !/^[\w-]*-package-proxy\//.test(file.slice(prefix.length))
}
