import { runProgram } from './runProgram.ts'

/** Whether there is a Git repository around an app now. */
export type GitResult = 'made' | 'there' | 'failed' | 'no-git'

/** Makes a Git repository, without a commit, unless the folder stands in one. */
export async function makeRepository(
  folder: string,
  options: { readonly env: NodeJS.ProcessEnv; readonly signal: AbortSignal },
): Promise<GitResult> {
  const git = (...args: string[]) => runProgram('git', args, { cwd: folder, ...options })
  const around = await git('rev-parse', '--is-inside-work-tree')
  if (around.exitCode === null) return 'no-git'
  if (around.exitCode === 0) return 'there'
  const { exitCode } = await git('init', '--quiet')
  return exitCode === 0 ? 'made' : 'failed'
}
