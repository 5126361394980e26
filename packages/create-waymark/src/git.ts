import { runProgram } from './runProgram.ts'

/**
 * Makes a Git repository, without a commit, unless the folder stands in one.
 * @returns `false` when Git failed to; without Git there is nobody to miss a repository
 */
export async function makeRepository(
  folder: string,
  { env, signal }: { readonly env: NodeJS.ProcessEnv; readonly signal: AbortSignal },
): Promise<boolean> {
  const git = (...args: string[]) => runProgram('git', args, { cwd: folder, env, signal })
  const around = await git('rev-parse', '--is-inside-work-tree')
  if (around.exitCode === null || around.exitCode === 0) return true
  return (await git('init', '--quiet')).exitCode === 0
}
