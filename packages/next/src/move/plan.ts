import type { ESTree } from 'vite'

/** A file before and after the move; `null` where there is none. */
export type FileChange = {
  /** From the root of the app, with slashes. */
  readonly file: string
  readonly before: string | null
  readonly after: string | null
}

/** Something that a person should know of a line of theirs. */
export type Finding = {
  /** `change`: it fails until somebody changes it. `differs`: it runs, otherwise than before. */
  readonly kind: 'change' | 'differs'
  readonly file: string
  /** From 1. */
  readonly line: number
  readonly text: string
}

/** `alias`: imports stay as they are; `native`: they become imports of Waymark where it has the name. */
export type MoveMode = 'alias' | 'native'

/** The program that installs the packages. */
export type PackageManager = 'npm' | 'pnpm' | 'yarn' | 'bun'

/** What is written into `dependencies`. */
export type Versions = {
  readonly next: string
  readonly waymark: string
  readonly vite: string
  readonly react: string
}

/** All that a move would do, and what it leaves to a person. */
export type MovePlan = {
  readonly changes: readonly FileChange[]
  readonly findings: readonly Finding[]
  /** How many files import each module of `next`. */
  readonly modules: ReadonlyMap<string, number>
}

/** A name that a file imports. */
export type ImportedName = {
  /** `default`, `*`, or the name that the module exports. */
  readonly name: string
  readonly local: string
  readonly isType: boolean
}

/** An import of a module of `next`, by a declaration or by `import()`. */
export type NextImport = {
  /** Without `.js` at its end. */
  readonly module: string
  /** Of the whole declaration; of the specifier, for what can't be rewritten. */
  readonly start: number
  readonly end: number
  readonly line: number
  /** Empty for `import()`, for re-exports, and for imports without names. */
  readonly names: readonly ImportedName[]
}

/** A text to put into a file. */
export type Insertion = { readonly at: number; readonly text: string }

/** What a source file says that a move has to know. */
export type SourceFacts = {
  readonly imports: readonly NextImport[]
  readonly findings: readonly Finding[]
  /** What makes it wait for what was no promise before. */
  readonly insertions: readonly Insertion[]
  readonly program: ESTree.Program
}
