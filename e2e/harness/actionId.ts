import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Returns the id of an action of a built app, from the browser's modules. */
export function actionId({ root }: { readonly root: string }, name: string): string {
  const folder = join(root, '.waymark/client/_waymark/assets')
  const files = readdirSync(folder).filter((file) => file.endsWith('.js'))
  const code = files.map((file) => readFileSync(join(folder, file), 'utf8')).join('\n')
  const id = new RegExp(`["'\`]([^"'\`\\s]+#${name})["'\`]`).exec(code)?.[1]
  if (id === undefined) throw new Error(`The client's code has no action ${name}.`)
  return id
}
