import { readFileSync } from 'node:fs'
import { findUpwards } from './stableNames.ts'

/**
 * Lists the packages that the app imports and that have Waymark as a peer dependency. Node must not
 * load these in the dev server, because they would use a second copy of Waymark, whose request
 * scope is empty.
 * @param imported specifiers, such as `@waymark/live/socket`
 */
export function listDependents(imported: Iterable<string>, root: string): string[] {
  const names = new Set<string>()
  for (const specifier of imported) {
    const [name] = /^(?:@[\w.-]+\/)?[\w.-]+/.exec(specifier) ?? []
    if (name !== undefined && name !== 'waymark') names.add(name)
  }
  return [...names].filter((name) => hasWaymarkAsPeer(name, root)).sort()
}

function hasWaymarkAsPeer(name: string, root: string): boolean {
  const manifest = findUpwards(root, `node_modules/${name}/package.json`)
  if (manifest === null) return false
  try {
    const { peerDependencies = {} } = JSON.parse(readFileSync(manifest, 'utf8'))
    return Object.hasOwn(peerDependencies, 'waymark')
  } catch {
    return false
  }
}
