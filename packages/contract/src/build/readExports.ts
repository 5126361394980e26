import { readFileSync } from 'node:fs'
import { extname } from 'node:path'
import { parseSync } from 'vite'

/**
 * Reads the names that a module exports.
 * @returns an empty list for a file that isn't JavaScript or TypeScript, such as MDX
 */
export function readExports(file: string): string[] {
  if (!/^\.[cm]?[jt]sx?$/.test(extname(file))) return []
  const { module } = parseSync(file, readFileSync(file, 'utf8'))
  const names = module.staticExports.flatMap(({ entries }) =>
    entries.map(({ exportName }) => (exportName.kind === 'Default' ? 'default' : exportName.name)),
  )
  return names.filter((name) => name !== null)
}
