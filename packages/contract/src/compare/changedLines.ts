import { execFileSync } from 'node:child_process'

/** A change of a file since the contract was committed. */
export type ChangedLines = {
  /** Number of the first changed line; `null` if the file was deleted. */
  readonly line: number | null
  /** The removed and added lines. */
  readonly text: string
}

/** Changes by file. Paths are relative to the app's root. */
export type Changes = ReadonlyMap<string, readonly ChangedLines[]>

/**
 * Asks Git for the lines that have changed since the last commit of the contract.
 * @returns an empty map without Git or without such a commit
 */
export function readChanges(root: string, contractName: string): Changes {
  try {
    const [commit] = git(root, ['log', '-1', '--format=%H', '--', contractName]).split('\n')
    if (!commit) return new Map()
    const diff = git(root, ['diff', '--relative', '-U0', '--no-color', '--no-ext-diff', commit])
    const changes = parseDiff(diff)
    const untracked = git(root, ['ls-files', '--others', '--exclude-standard']).split('\n')
    for (const file of untracked.filter(Boolean)) changes.set(file, [{ line: 1, text: '' }])
    return changes
  } catch {
    // Without Git, places come from the code alone.
    return new Map()
  }
}

function git(root: string, args: readonly string[]): string {
  return execFileSync('git', ['-c', 'core.quotePath=false', ...args], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 100_000_000,
    timeout: 10_000,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
}

/** Reads the changed lines of each file from the output of `git diff -U0`. */
export function parseDiff(diff: string): Map<string, ChangedLines[]> {
  const changes = new Map<string, ChangedLines[]>()
  for (const section of diff.split(/^diff --git .*\n/m)) {
    const [head = '', ...hunks] = section.split(/^(?=@@ )/m)
    const old = /^--- (?:a\/)?(.*)$/m.exec(head)?.[1]
    const now = /^\+\+\+ (?:b\/)?(.*)$/m.exec(head)?.[1]
    const isDeleted = now === '/dev/null'
    const file = isDeleted ? old : now
    if (file === undefined) continue
    changes.set(
      file,
      hunks.map((hunk) => {
        const [, start = '1'] = /^@@ -\S+ \+(\d+)/.exec(hunk) ?? []
        // The line is 0 after a deletion at the start of a file.
        const line = isDeleted ? null : Math.max(1, Number(start))
        return { line, text: hunk.slice(hunk.indexOf('\n') + 1) }
      }),
    )
  }
  return changes
}
