import type { CommandOptions } from './run.ts'

/** Serves the built app. */
export async function start(options: CommandOptions): Promise<number> {
  console.log(options)
  return 0
}
