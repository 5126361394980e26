import { relative } from 'node:path'
import { expect } from 'vitest'
import { runWaymark } from './commandLine.ts'
import type { Served } from './describeModes.ts'

/** Matches an error's digest in a text. */
export const digestPattern = /\b[0-9a-hjkmnp-tv-z]{4}-[0-9a-hjkmnp-tv-z]{4}-[0-9a-hjkmnp-tv-z]{3}\b/

/**
 * Looks up an error's digest on the command line, as a person does. Waits for the journal's entry,
 * which the server writes up to a second after its response.
 */
export async function lookUp(
  served: { readonly app: Pick<Served['app'], 'root'> },
  digest: string,
) {
  const args = ['errors', digest, '--json']
  let output = ''
  const isLogged = async () => {
    const ended = await runWaymark(args, served.app.root)
    output = ended.output
    return ended.exitCode === 0 || output
  }
  await expect.poll(isLogged).toBe(true)
  return JSON.parse(output).entry
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
