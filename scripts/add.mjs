/**
 * `npm run add ../my-app live image` installs packages of this checkout in an app that `npm run
 * create` has made. It also updates the packages of this checkout that the app already has.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { buildPackages, publishedPackages } from './workspace/build.mjs'
import { assertNodeVersion, ensureDependencies } from './workspace/install.mjs'
import { packForApps } from './workspace/packForApps.mjs'
import { root } from './workspace/paths.mjs'
import { run } from './workspace/run.mjs'

try {
  const [folder, ...packageArgs] = process.argv.slice(2)
  if (!folder) throw new Error('Usage: npm run add <app folder> [package …]')
  // Resolve the path from the folder of the caller, because npm runs scripts in the root folder.
  const app = resolve(process.env.INIT_CWD ?? root, folder)
  const names = packagesFor(app, packageArgs)
  assertNodeVersion(process.versions.node)
  await ensureDependencies('packages')
  await buildPackages({ typeErrors: 'report', names })
  const tarballs = await packForApps(names)
  const { exitCode } = await run('npm', ['install', ...tarballs], { cwd: app })
  process.exitCode = exitCode
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}

/**
 * Lists the packages to install: those in the arguments, their required peers, and those that the
 * app already has. Each package comes after the packages that it is built against.
 * @param {string} app
 * @param {readonly string[]} packageArgs folders or names: `live`, `@waymark/live`
 */
function packagesFor(app, packageArgs) {
  const file = join(app, 'package.json')
  if (!existsSync(file))
    throw new Error(`There is no app in ${app}. Create one: npm run create ${app}`)
  const { dependencies, devDependencies } = JSON.parse(readFileSync(file, 'utf8'))
  const published = publishedPackages().filter((name) => name !== 'create-waymark')
  const wanted = packageArgs.map((name) => name.replace(/^@waymark\//, ''))
  const unknown = wanted.find((name) => !published.includes(name))
  if (unknown) {
    const all = published.toSorted().join(', ')
    throw new Error(
      `There is no package “${unknown}” in this checkout. Available packages: ${all}.`,
    )
  }
  const present = Object.keys({ ...dependencies, ...devDependencies })
  const required = new Set(wanted.flatMap((folder) => [folder, ...requiredPeers(folder)]))
  return published.filter((folder) => {
    const name = folder === 'waymark' ? folder : `@waymark/${folder}`
    return required.has(folder) || present.includes(name)
  })
}

/**
 * Lists the packages of this checkout that npm would install together with a package. These peers
 * are packed as well, because the registry doesn't have them.
 * @param {string} folder
 * @returns {string[]} folders
 */
function requiredPeers(folder) {
  const file = join(root, 'packages', folder, 'package.json')
  const { peerDependencies, peerDependenciesMeta } = JSON.parse(readFileSync(file, 'utf8'))
  return Object.keys(peerDependencies ?? {}).flatMap((name) => {
    const isOurs = name === 'waymark' || name.startsWith('@waymark/')
    if (!isOurs || peerDependenciesMeta?.[name]?.optional) return []
    const peer = name.replace(/^@waymark\//, '')
    return [peer, ...requiredPeers(peer)]
  })
}
