import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { root, stampsFolder } from './paths.mjs'
import { run, say } from './run.mjs'

/** The Nodes that most apps run on, beside the oldest that Waymark takes. */
const supported = [24, 26]

/**
 * The majors that are not the one of this process.
 * @param {string} version as `process.versions.node` gives it
 */
export function otherNodes(version = process.versions.node) {
  return supported.filter((major) => major !== Number.parseInt(version, 10))
}

/**
 * Installs a Node from npm's packages of it.
 * @param {number} major
 * @returns {Promise<string | null>} the program; `null` when there is none for this machine
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
