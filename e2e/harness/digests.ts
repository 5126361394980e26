import { join, relative } from 'node:path'
import { expect } from 'vitest'
import { describeEntry, type EntryDetail } from '../../packages/waymark/src/journal/detail.ts'
import { createFilesJournal } from '../../packages/waymark/src/journal/files.ts'
import { createStackMapper } from '../../packages/waymark/src/journal/sourceMaps.ts'
import { runWaymark } from './commandLine.ts'
import type { Served } from './describeModes.ts'

/** Finds a digest in a text. */
export const digestPattern = /\b[0-9a-hjkmnp-tv-z]{4}-[0-9a-hjkmnp-tv-z]{4}-[0-9a-hjkmnp-tv-z]{3}\b/

/** Finds out about a digest as a person does: by the command line. */
export async function lookUp(
  served: { readonly app: Pick<Served['app'], 'root'> },
  digest: string,
) {
  const { exitCode, output } = await runWaymark(['errors', digest, '--json'], served.app.root)
  expect(exitCode, output).toBe(0)
  return JSON.parse(output).entry
}

/** Finds out about many digests as the command does, in one process. */
export async function lookUpAll({ root }: Pick<Served['app'], 'root'>, digests: readonly string[]) {
  const buildDir = join(root, '.waymark')
  const journal = createFilesJournal({ folder: join(buildDir, 'journal') })
  const mapStack = createStackMapper({ root, buildDir, currentBuildId: null })
  return Promise.all(
    digests.map(async (digest) => {
      // The server writes in batches.
      await expect.poll(() => journal.find(digest), { message: digest }).not.toBeNull()
      const found = await journal.find(digest)
      if (found?.kind !== 'whole') throw new Error(`${digest} was not kept whole.`)
      return describeEntry(found.entry, mapStack)
    }),
  )
}

/** The places of a stack in the app's own files: `act.ts:9`. */
export function ownPlaces({ frames }: EntryDetail, { root }: Pick<Served['app'], 'root'>) {
  return frames.flatMap(({ place }) =>
    place?.isOwn ? [`${relative(root, place.file)}:${place.line}`] : [],
  )
}
