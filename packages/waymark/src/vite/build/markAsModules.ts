import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'

/**
 * Says that the files of a build are ES modules: below an app whose package.json does not, Node
 * would take them for CommonJS.
 * @param buildDir absolute; made when it is missing
 */
export async function markAsModules(buildDir: string): Promise<void> {
  await mkdir(buildDir, { recursive: true })
  await writeFile(path.join(buildDir, 'package.json'), '{ "type": "module" }\n')
}
