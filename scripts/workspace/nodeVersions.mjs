import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { root, stampsFolder } from './paths.mjs'
import { run, say } from './run.mjs'

/**
 * Major versions of Node that most apps run on, not including the oldest version that Waymark
 * supports.
 */
const supported = [24, 26]

/**
 * Lists the major versions of Node to test, except the version of this process.
 * @param {string} version value of `process.versions.node`
 */
export function otherNodes(version = process.versions.node) {
  return supported.filter((major) => major !== Number.parseInt(version, 10))
}

/**
 * Installs a version of Node from its npm packages.
 * @param {number} major
 * @returns {Promise<string | null>} path of the program, or `null` if npm has no program for this
 * machine
 */
export async function installNode(major) {
  const system = process.platform === 'win32' ? 'win' : process.platform
  const name = `node-${system}-${process.arch}`
  const folder = join(stampsFolder, `node-${major}`)
  const program = join(folder, 'node_modules', name, system === 'win' ? 'bin/node.exe' : 'bin/node')
  if (existsSync(program)) return program
  mkdirSync(folder, { recursive: true })
  const args = ['install', '--no-audit', '--no-fund', '--workspaces=false', '--prefix', folder]
  const { output } = await run('npm', [...args, `${name}@${major}`], { cwd: root, quiet: true })
  if (existsSync(program)) return program
  say(`npm has no ${name}@${major}:\n${output}`)
  return null
}
