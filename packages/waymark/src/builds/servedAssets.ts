/** Assets that a server sends for the pages of its build. */
export type ServedAssets = {
  /** File names below `/_waymark/assets/`. */
  readonly names: readonly string[]
  /** File names of earlier builds that are kept, because their pages may still be open. */
  readonly earlier: readonly string[]
  /** Place from which servers of other builds can read the assets; `null` if they can't. */
  readonly sharedIn: 'cache' | 'folder' | null
  /**
   * Paths in the build that a web server in front of the app can't read if it runs as a different
   * user.
   */
  readonly closed: readonly ClosedPath[]
}

/** A folder that only its owner and group can enter, or a file that only they can read. */
export type ClosedPath = { readonly path: string; readonly isFolder: boolean }
