import type { ESTree } from 'vite'

/** Content of a file before and after the move. `null` means that the file doesn't exist. */
export type FileChange = {
  /**
   * Path relative to the app's folder, with slashes. Starts with `../` for a file in the root of a
   * workspace.
   */
  readonly file: string
  readonly before: string | null
  readonly after: string | null
}

/** A note for the user about a line in the app. */
export type Finding = {
  /**
   * `change`: the code fails until it is changed. `differs`: the code runs, but behaves
   * differently.
   */
  readonly kind: 'change' | 'differs'
  readonly file: string
  /** Line number, from 1. */
  readonly line: number
  readonly text: string
}

/**
 * `alias`: imports don't change. `native`: imports from `next` become imports from Waymark if
 * Waymark has an equivalent export.
 */
export type MoveMode = 'alias' | 'native'

/** Versions by package, or commands by script. */
export type Names = Readonly<Record<string, string>>

/** The package manager that installs the app's packages. */
export type PackageManager = 'npm' | 'pnpm' | 'yarn' | 'bun'

/** Version ranges to write into `dependencies`. */
export type Versions = {
  readonly next: string
  readonly waymark: string
  readonly vite: string
  readonly react: string
}

/** All changes that a move makes, and notes about what the user still has to do. */
export type MovePlan = {
  readonly changes: readonly FileChange[]
  readonly findings: readonly Finding[]
  /** Number of files that import each module from `next`. */
  readonly modules: ReadonlyMap<string, number>
}

/** A name that a file imports. */
export type ImportedName = {
  /** `default`, `*`, or the exported name. */
  readonly name: string
  readonly local: string
  readonly isType: boolean
}

/** A static or dynamic import of a module from `next`. */
export type NextImport = {
  /** Name of the imported module, without a trailing `.js`. */
  readonly module: string
  /**
   * Offset of the whole declaration. For an import that can't be rewritten, offset of the
   * specifier.
   */
  readonly start: number
  readonly end: number
  readonly line: number
  /** Imported names. Empty for `import()`, for re-exports, and for imports without names. */
  readonly names: readonly ImportedName[]
}

/** A string to insert into a file, in place of the code up to `end`. */
export type Insertion = { readonly at: number; readonly end?: number; readonly text: string }

/** The facts about a source file that the move needs. */
export type SourceFacts = {
  readonly imports: readonly NextImport[]
  readonly findings: readonly Finding[]
  /** Insertions of `await` before values that are promises in current versions of Next. */
  readonly insertions: readonly Insertion[]
  readonly program: ESTree.Program
}
