import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { JournalEntry } from 'waymark/drivers'
import {
  type CommandInput,
  createDescribe,
  detailJson,
  detailLines,
  type OptionTable,
  type PackageCommand,
  type PackageOptions,
  sharedOptions,
} from 'waymark/internal/node'
import { httpUrl } from '../options.ts'
import { type ReplayResult, runReplay } from './runReplay.ts'
import { parseCookies, sessionFor } from './session.ts'

const options = {
  url: { ...httpUrl, text: 'A server that runs, in place of the build.' },
  cookie: {
    value: 'name=value',
    separator: ';',
    parse: parseCookies,
    valid: 'Write --cookie session=abc, once for each cookie.',
    text: 'A cookie of the request; may be given again.',
  },
  'run-action': { text: 'Also what may have effects: actions, and methods other than GET.' },
  json: sharedOptions.json,
} as const satisfies OptionTable

type Input = CommandInput<PackageOptions<typeof options>>

/** Sends the request of an error again, and says whether it fails as then. */
export const replay: PackageCommand<typeof options> = {
  details: `Serves the build on this machine, sends the request as the journal kept it (journal: { replay: true }),
and exits with 0 if it no longer fails, 1 if it fails, 2 if it could not be run.
A replay.ts beside the app folder can make the session.`,
  operands: '<digest> [folder]',
  options,
  mode: 'that of the build',
  run,
}

async function run({ options, terminal }: Input): Promise<number> {
  const { url, cookie = {}, digest } = options
  const root = resolve(options.folder ?? '.')
  if (digest === undefined) {
    terminal.fail('Name a digest.', 'It looks like 6r3v-0m2k-x7q: waymark replay <digest> [folder]')
    return 2
  }
  if (!existsSync(root)) {
    terminal.fail(`There is no folder ${root}.`)
    return 2
  }
  const openSession = sessionFor(root, cookie)
  const runAction = options['run-action']
  const result = await runReplay(digest, { root, url, runAction, openSession })
  await print(result, root, { options, terminal })
  return exitCodes[result.outcome]
}

const exitCodes = { fixed: 0, same: 1, other: 1, refused: 2 } as const

async function print(result: ReplayResult, root: string, { options, terminal }: Input) {
  const { outcome, says, notes, status, entry, request, failure } = result
  const described = failure ?? entry
  const detail = described && (await createDescribe(root)(described))
  const missing = detail?.frames.length && detail.frames.every(({ place }) => place === null)
  const all = [...notes, ...(missing ? [mapsNote(described)] : [])]
  if (options.json) {
    const error = detail && detailJson(detail)
    terminal.printJson({
      outcome,
      says,
      notes: all,
      status,
      digest: entry?.digest ?? null,
      request,
      error,
    })
    return
  }
  if (detail) {
    for (const line of detailLines(detail, { root, paint: terminal.paint, age: '' })) {
      terminal.print(line)
    }
    terminal.print()
  }
  for (const note of all) terminal.print(terminal.paint.dim(note))
  if (outcome === 'refused') terminal.fail(says)
  else terminal.print(outcome === 'fixed' ? terminal.paint.green(says) : terminal.paint.red(says))
}

function mapsNote(entry: JournalEntry | null): string {
  return `The source maps of the build ${entry?.buildId ?? ''} are not in .waymark/maps, so lines are those of the build. Copy the folder from where it was built.`
}
