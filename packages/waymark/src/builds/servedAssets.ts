/** The assets that a server sends, which pages of its build need. */
export type ServedAssets = {
  /** File names below `/_waymark/assets/`. */
  readonly names: readonly string[]
  /** Where servers of other builds find them, too; `null` if they don't. */
  readonly sharedIn: 'cache' | 'folder' | null
  /** Paths of the build that a web server in front of the app can't read, if it is another user. */
  readonly closed: readonly ClosedPath[]
}

/** A folder that only its owner and group can enter, or a file that only they can read. */
export type ClosedPath = { readonly path: string; readonly isFolder: boolean }
