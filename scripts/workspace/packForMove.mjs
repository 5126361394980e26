import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { root } from './paths.mjs'
import { must } from './run.mjs'

/**
 * Packs what an app needs that is moved to Waymark.
 * @param {string} into an empty folder
 * @returns {Promise<{ waymark: string, next: string }>} addresses, as `package.json` writes them
 */
export async function packForMove(into) {
  // As in the registry: the package brings its own dependencies along.
  const dependencies = {
    '@waymark/font': await pack('font', into),
    '@waymark/image': await pack('image', into),
  }
  const next = await pack('next', into, { dependencies })
  return { waymark: await pack('waymark', into), next }
}

/**
 * @param {string} name of a folder in `packages/`
 * @param {string} into
 * @param {{ dependencies?: Record<string, string> }} [given] replaces versions
 * @returns {Promise<string>} the address of the archive, as `package.json` writes it
 */
async function pack(name, into, { dependencies = {} } = {}) {
  const cwd = path.join(root, 'packages', name)
  const printed = await must('npm', ['pack', '--silent', '--pack-destination', into], cwd)
  const [filename = ''] = printed.match(/^.*\.tgz$/m) ?? []
  if (Object.keys(dependencies).length > 0) {
    const inside = path.join(into, name)
    await mkdir(inside)
    await must('tar', ['xzf', path.join(into, filename), '-C', inside], into)
    const file = path.join(inside, 'package/package.json')
    const manifest = JSON.parse(await readFile(file, 'utf8'))
    Object.assign(manifest.dependencies, dependencies)
    await writeFile(file, JSON.stringify(manifest, null, 2))
    await must('tar', ['czf', path.join(into, filename), '-C', inside, 'package'], into)
  }
  return `file:${path.join(into, filename)}`
}
