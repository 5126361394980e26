import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { packForApps } from './packForApps.mjs'
import { must } from './run.mjs'

/**
 * Packs the packages that an app needs after it was moved to Waymark.
 * @returns {Promise<{ waymark: string, next: string }>} specifiers of the tarballs, as
 * `package.json` contains them
 */
export async function packForMove() {
  const tarballs = await packForApps(['waymark', 'font', 'image', 'next'])
  const [waymark, font, image, next = ''] = tarballs.map((file) => `file:${file}`)
  const plain = next.slice('file:'.length)
  const whole = path.join(path.dirname(plain), 'move', path.basename(plain))
  // Add the dependencies that the published package has as well. Write the tarball only once,
  // because the lock files of apps contain its hash.
  const dependencies = { '@waymark/font': font, '@waymark/image': image }
  if (!existsSync(whole)) await replaceDependencies(plain, dependencies, whole)
  return { waymark: waymark ?? '', next: `file:${whole}` }
}

/**
 * @param {string} tarball
 * @param {Record<string, string | undefined>} dependencies
 * @param {string} target path of the tarball to write
 */
async function replaceDependencies(tarball, dependencies, target) {
  await mkdir(path.dirname(target), { recursive: true })
  const draft = await mkdtemp(`${target}-`)
  await must('tar', ['xzf', tarball, '-C', draft], draft)
  const file = path.join(draft, 'package/package.json')
  const manifest = JSON.parse(await readFile(file, 'utf8'))
  Object.assign(manifest.dependencies, dependencies)
  await writeFile(file, JSON.stringify(manifest, null, 2))
  await must('tar', ['czf', path.join(draft, 'whole.tgz'), '-C', draft, 'package'], draft)
  await rename(path.join(draft, 'whole.tgz'), target)
  await rm(draft, { recursive: true })
}
