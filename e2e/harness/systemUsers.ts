import { readFileSync } from 'node:fs'
import { findProgram } from '../../scripts/workspace/systemTools.mjs'

/** A user of this machine. */
export type SystemUser = { readonly name: string; readonly uid: number; readonly gid: number }

/** True if this process runs as root. Only root can give files and processes to another user. */
export const isRoot = process.getuid?.() === 0

const setpriv = findProgram(['setpriv'])

/** The reason why this process can't start a process as another user, or `null` if it can. */
export const noOtherUserBecause = !isRoot
  ? 'only root can give files and processes to another user'
  : setpriv === null
    ? 'the program setpriv is missing'
    : null

/**
 * Finds a user by name.
 * @returns `nobody` if no package has created the user
 */
export function findUser(name: string): SystemUser {
  const lines = readFileSync('/etc/passwd', 'utf8').split('\n')
  const fields = lines.map((line) => line.split(':'))
  const [existingName = 'nobody', , uid = '65534', gid = '65534'] =
    fields.find(([each]) => each === name) ?? []
  return { name: existingName, uid: Number(uid), gid: Number(gid) }
}

/**
 * Returns a command line that runs a command as a user, or the unchanged command if this process
 * can't switch users.
 */
export function asUser(
  { uid, gid }: Pick<SystemUser, 'uid' | 'gid'>,
  command: readonly string[],
): { readonly program: string; readonly args: string[] } {
  const [program = '', ...args] = command
  if (noOtherUserBecause !== null || setpriv === null) return { program, args }
  const ids = ['--reuid', `${uid}`, '--regid', `${gid}`, '--clear-groups']
  return { program: setpriv, args: [...ids, '--no-new-privs', ...command] }
}
