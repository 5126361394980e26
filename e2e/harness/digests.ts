import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { expect } from 'vitest'
import { runWaymark } from './commandLine.ts'
import type { Served } from './describeModes.ts'

/** Matches an error's digest in a text. */
export const digestPattern = /\b[0-9a-hjkmnp-tv-z]{4}-[0-9a-hjkmnp-tv-z]{4}-[0-9a-hjkmnp-tv-z]{3}\b/

/**
 * Looks up an error's digest on the command line, as a person does. Waits for the journal's entry
 * before, because the server may write the entry up to a second after its response.
 */
export async function lookUp(
  served: { readonly app: Pick<Served['app'], 'root'> },
  digest: string,
) {
  const { root } = served.app
  await expect.poll(() => isInJournal(root, digest), { message: `entry of ${digest}` }).toBe(true)
  const { exitCode, output } = await runWaymark(['errors', digest, '--json'], root)
  expect(exitCode, output).toBe(0)
  return JSON.parse(output).entry
}

/** True if a journal in files has a complete line that contains a digest. */
function isInJournal(root: string, digest: string): boolean {
  const folder = join(root, '.waymark/journal')
  if (!existsSync(folder)) return false
  return readdirSync(folder).some((name) => {
    const text = readFileSync(join(folder, name), 'utf8')
    return text.slice(0, text.lastIndexOf('\n')).includes(digest)
  })
}

/** A stack frame in the JSON output of `waymark`. */
export type PrintedFrame = {
  readonly place: {
    readonly file: string
    readonly line: number
    readonly isAppCode: boolean
  } | null
}

/** Returns the locations in the app's files that a stack trace mentions, such as `act.ts:9`. */
export function appPlaces(
  { frames }: { readonly frames: readonly PrintedFrame[] },
  { root }: Pick<Served['app'], 'root'>,
): string[] {
  return frames.flatMap(({ place }) =>
    place?.isAppCode ? [`${relative(root, place.file)}:${place.line}`] : [],
  )
}
