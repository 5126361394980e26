import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Finds the built browser script that contains a text.
 * @param root folder of the built app
 * @returns the script's file name
 * @throws if no script contains the text
 */
export function chunkWith(root: string, text: string): string {
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
  const chunks = files.filter(
    (file) => /client\/.*\.js$/.test(file) && !file.includes('node_modules'),
  )
  const chunk = chunks.find((file) => readFileSync(join(root, file), 'utf8').includes(text))
  const name = chunk?.split('/').at(-1)
  if (!name) throw new Error(`No chunk has “${text}”.`)
  return name
}
