import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chown, mkdir, readdir } from 'node:fs/promises'
import path from 'node:path'
import { must } from '../../scripts/workspace/run.mjs'
import { whileRunning } from './clickThrough.mjs'

/**
 * @typedef {object} Database
 * @property {string} url
 * @property {(sql: string) => Promise<string>} query
 * @property {(table: string, use: () => Promise<void>) => Promise<void>} whileLocked lets whoever
 *   reads a table wait
 */

/**
 * Runs a separate cluster from Debian's packages, as an unprivileged user.
 * @param {{ folder: string, port: number }} place
 * @param {(database: Database) => Promise<void>} use
 */
export async function whilePostgresRuns({ folder, port }, use) {
  const bin = await binaries()
  await mkdir(folder)
  const user = await unprivileged(folder)
  const data = path.join(folder, 'data')
  const sudo = user
    ? ['setpriv', `--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups']
    : []
  const as = async (/** @type {string[]} */ ...command) => {
    const [program = '', ...args] = [...sudo, ...command]
    return must(program, args, folder)
  }
  await as(`${bin}/initdb`, '-D', data, '-U', 'suite', '--auth=trust', '--encoding=UTF8')
  // The app asks for an encrypted connection.
  const key = path.join(data, 'server.key')
  const certificate = path.join(data, 'server.crt')
  const names = ['-keyout', key, '-out', certificate, '-subj', '/CN=localhost']
  await as('openssl', 'req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', ...names)
  await as('chmod', '600', key)
  const connection = ['-h', 'localhost', '-p', String(port), '-U', 'suite', 'postgres']
  const psql = `${bin}/psql`
  const connected = ['-qAt', '-v', 'ON_ERROR_STOP=1', ...connection]
  const query = (/** @type {string} */ sql) => must(psql, [...connected, '-c', sql], folder)
  const isReady = () =>
    query('SELECT 1').then(
      () => true,
      () => false,
    )
  const listening = ['-p', String(port), '-k', folder, '-c', 'listen_addresses=localhost']
  const server = [...sudo, `${bin}/postgres`, '-D', data, ...listening, '-c', 'ssl=on']
  const url = `postgres://suite@localhost:${port}/postgres`
  await whileRunning(server, { cwd: folder }, isReady, () =>
    use({
      url,
      query,
      whileLocked: (table, then) => whileLocked([psql, ...connected], table, then),
    }),
  )
}

/** @param {string[]} psql @param {string} table @param {() => Promise<void>} use */
async function whileLocked([program = '', ...args], table, use) {
  const session = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  const ended = once(session, 'close')
  session.stdin.write(`BEGIN; LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE; SELECT 'locked';\n`)
  await once(session.stdout, 'data')
  try {
    await use()
  } finally {
    session.stdin.end('COMMIT;\n')
    await ended
  }
}

/** Debian has a folder for each version. */
async function binaries() {
  const all = '/usr/lib/postgresql'
  const versions = await readdir(all).catch(() => [])
  const latest = versions.sort((one, other) => Number(other) - Number(one))[0]
  if (!latest) throw new Error('Postgres is missing: install it with `apt-get install postgresql`.')
  return path.join(all, latest, 'bin')
}

/** Postgres refuses to run as root. @param {string} folder becomes that user's */
async function unprivileged(folder) {
  if (process.getuid?.() !== 0) return null
  const [uid, gid] = await Promise.all(
    ['-u', '-g'].map(async (which) => Number(await must('id', [which, 'postgres'], folder))),
  )
  await chown(folder, Number(uid), Number(gid))
  return { uid, gid }
}
